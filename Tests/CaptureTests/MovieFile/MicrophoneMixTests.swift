import GStreamer
import TestSupport
import Testing

@testable import Capture

/// Several microphones in one track.
@Suite struct MicrophoneMixTests {
    private func buffer(_ samples: [Float]) -> Buffer {
        samples.withUnsafeBytes { Buffer(copying: $0, presentationTime: 0, duration: 0) }
    }

    private func samples(_ buffers: [Buffer]) throws -> [Float] {
        try buffers.flatMap { try $0.withBytes { Array($0.bindMemory(to: Float.self)) } }
    }

    @Test func `what belongs to one moment is added, in whatever portions it comes`() throws {
        var mix = MicrophoneMix(channels: [1, 1, 1], rate: 48_000)
        let rows: [[Float]] = (3...5).map { (step: Int) -> [Float] in
            (0..<4800).map { (index: Int) -> Float in Float(index * step % 100) / 1000 }
        }
        var random = SeededGenerator.printed(for: "portions of a mix")
        var (done, buffers) = ([0, 0, 0], [Buffer]())
        while let row = done.indices.filter({ done[$0] < 4800 }).randomElement(using: &random) {
            let count = min(4800 - done[row], Int.random(in: 1...700, using: &random))
            buffers += mix.take([buffer(Array(rows[row][done[row]..<done[row] + count]))], of: row)
            done[row] += count
        }
        for row in 0..<3 { buffers += mix.end(row) }
        let mixed = try samples(buffers)
        #expect(mixed.count == 4800)
        let sums: [Float] = (0..<4800).map { rows[0][$0] + rows[1][$0] + rows[2][$0] }
        #expect(zip(mixed, sums).allSatisfy { abs($0 - $1) < 1e-6 })
        var end: MediaTime? = 0
        for buffer in buffers {
            #expect(buffer.presentationTime == end)
            end = (buffer.presentationTime ?? 0) + (buffer.duration ?? 0)
        }
        #expect(end == 100 * .millisecond)
    }

    @Test func `one channel is heard on both sides, and what is too loud is cut off`() throws {
        var mix = MicrophoneMix(channels: [1, 2], rate: 48_000)
        #expect(mix.channels == 2)
        let stereo = (0..<480).flatMap { _ in [Float(0.75), Float(-0.5)] }
        #expect(mix.take([buffer(stereo)], of: 1).isEmpty)
        let mixed = try samples(mix.take([buffer([Float](repeating: 0.5, count: 480))], of: 0))
        #expect(mixed.count == 960 && mixed[0] == 1 && mixed[1] == 0)
    }

    @Test func `one that is over is not waited for`() throws {
        var mix = MicrophoneMix(channels: [1, 1], rate: 48_000)
        var buffers = mix.take([buffer([Float](repeating: 0.25, count: 300))], of: 0)
        #expect(buffers.isEmpty)
        buffers += mix.take([buffer([Float](repeating: 0.25, count: 200))], of: 1)
        #expect(try samples(buffers) == [Float](repeating: 0.5, count: 200))
        #expect(try samples(mix.end(1)) == [Float](repeating: 0.25, count: 100))
        // The few samples that are left at the end are not forgotten.
        #expect(mix.take([buffer([0.125, 0.25])], of: 0).isEmpty)
        #expect(try samples(mix.end(0)) == [0.125, 0.25])
    }
}
