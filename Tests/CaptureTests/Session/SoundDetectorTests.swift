import CaptureAudio
import MediaTypes
import TestSupport
import Testing

@testable import Capture

@Suite struct SoundDetectorTests {
    /// So many milliseconds of a microphone at an amplitude, from a running time on.
    private static func chunk(_ begin: Int, _ amplitude: Float, length: Int = 20) -> AudioChunk {
        AudioChunk(
            rowStart: .zero, position: begin * 48, samples: [Float](repeating: amplitude, count: length * 48),
            channels: 1, rate: 48_000)
    }

    @Test func `the loudest of several microphones counts, and one that is gone does not`() {
        var detector = SoundDetector(decibels: -20)
        var heard: [String] = []
        for time in stride(from: 0, to: 2400, by: 20) {
            let isLoud = (600..<1000).contains(time) || time >= 1600
            for (number, amplitude) in [(0, Float(0.001)), (1, isLoud ? 0.5 : 0.001)] {
                // The second one is lost while it is loud.
                guard number == 0 || time < 1700 else { continue }
                guard let seen = detector.add(Self.chunk(time, amplitude), of: number) else { continue }
                let words = "\(seen.isActive)"
                if heard.last != words { heard.append(words) }
            }
        }
        #expect(heard == ["false", "true", "false", "true", "false"])
    }

    @Test(.timeLimit(.minutes(10))) func `a session's second microphone triggers too`() async throws {
        let session = try await TestTake.session(
            camera: nil, microphone: .test(TestTone(volume: 0.001)), others: [.test(TestTone(volume: 0.4))])
        var seen: [Bool] = []
        for await (isActive, _) in await session.activity(of: [.sound(decibels: -20)]) {
            seen.append(isActive)
            if seen.suffix(3) == [true, true, true] { break }
        }
        // The first may have been measured before the second.
        #expect(seen.drop { !$0 }.allSatisfy { $0 }, "\(seen)")
        await session.stop()
    }
}
