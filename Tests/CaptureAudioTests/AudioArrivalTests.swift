import MediaTypes
import Testing

@testable import CaptureAudio

@Suite struct AudioArrivalTests {
    @Test func `what is no number becomes silence, and the samples beside it stay`() {
        var samples = (0..<1000).map { Float($0 % 200) / 100 - 1 }
        #expect(AudioArrival(samples: samples, time: .zero).finiteSamples == samples)
        for (index, fault) in [0: .nan, 500: .infinity, 501: -.infinity, 999: Float.signalingNaN] {
            samples[index] = fault
        }
        let heard = AudioArrival(samples: samples, time: .zero).finiteSamples
        for (index, sample) in samples.enumerated() { #expect(heard[index] == (sample.isFinite ? sample : 0)) }
    }
}
