import Foundation
import GStreamer
import Testing

@Suite("The resampler") struct AudioResamplerTests {
    private func process(_ resampler: AudioResampler, _ samples: [Float]) -> [Float] {
        samples.withUnsafeBufferPointer { resampler.process($0) }
    }

    @Test("At a ratio of one an impulse comes out where it went in") func impulse() throws {
        let resampler = try AudioResampler(channels: 1, inputRate: 48000, outputRate: 48000)
        var input = [Float](repeating: 0, count: 1000)
        input[300] = 1
        let output = process(resampler, input)
        #expect(output.count == 1000 - resampler.latency)
        #expect(output.indices.max { output[$0] < output[$1] } == 300)
    }

    @Test(
        "At another ratio each output frame is the input at its own time: nothing is shifted",
        arguments: [1.005, 0.995, 0.5, 2.0, 1, 1.000001])
    func ramp(inputPerOutput: Double) throws {
        let resampler = try AudioResampler(
            channels: 1, inputRate: Int(48_000_000 * inputPerOutput), outputRate: 48_000_000)
        let slope: Float = 0.0001
        let output = process(resampler, (0..<4000).map { Float($0) * slope })
        // Away from the beginning, where the filter still sees the silence before it.
        let worst = output.indices.dropFirst(100).map { abs(Double(output[$0] / slope) - Double($0) * inputPerOutput) }
            .max()
        // The filter's table has eight phases, and its positions are those of the lower one.
        #expect(try #require(worst) < 0.13)
    }

    @Test("What has gone in comes out but for the latency, however it is cut") func accounting() throws {
        for size in [1, 7, 480, 1024] {
            let resampler = try AudioResampler(channels: 2, inputRate: 48000, outputRate: 48000)
            var out = 0
            for _ in 0..<(9600 / size) { out += process(resampler, [Float](repeating: 0.1, count: size * 2)).count / 2 }
            #expect(out == 9600 / size * size - resampler.latency)
        }
    }

    @Test("Channels stay apart") func channels() throws {
        let resampler = try AudioResampler(channels: 2, inputRate: 48_010_000, outputRate: 48_000_000)
        let output = process(resampler, (0..<2000).flatMap { _ in [Float(0.5), -0.25] })
        let middle = output.count / 4 * 2
        #expect(abs(output[middle] - 0.5) < 0.001)
        #expect(abs(output[middle + 1] + 0.25) < 0.001)
    }

    @Test("Nothing in, nothing out; and rates that cannot be are refused") func edges() throws {
        let resampler = try AudioResampler(channels: 1, inputRate: 48000, outputRate: 48000)
        #expect(process(resampler, []) == [])
        #expect(process(resampler, [Float](repeating: 0, count: 100)).count == 100 - resampler.latency)
        #expect(throws: GStreamerError.self) { try AudioResampler(channels: 0, inputRate: 1, outputRate: 1) }
        #expect(throws: GStreamerError.self) { try AudioResampler(channels: 1, inputRate: 0, outputRate: 1) }
        #expect(throws: GStreamerError.self) { try AudioResampler(channels: 1, inputRate: 1, outputRate: -1) }
        #expect(throws: GStreamerError.self) { try AudioResampler(channels: 1, inputRate: 1, outputRate: 1 << 40) }
    }
}
