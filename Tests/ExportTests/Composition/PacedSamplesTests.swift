import Foundation
import MediaTypes
import Testing

@testable import Export

@Suite struct PacedSamplesTests {
    private static let rate = 48_000
    private static let tone = 1000.0

    /// A tone by an inset's clock, in pieces, on the main movie's: the samples that come out, and where the first of them lies.
    private func paced(_ scale: Double, seconds: Int, from begin: MediaTime) throws -> [Float] {
        let paced = PacedSamples(scale: scale, channels: 2, rate: Self.rate)
        var (out, next): ([Float], MediaTime?) = ([], nil)
        func add(_ pieces: [PacedSamples.Piece]) {
            for piece in pieces {
                // One behind the other, to the sample.
                #expect((piece.time - (next ?? begin)).length < 20 * .microsecond)
                next = piece.time + MediaTime(samples: piece.samples.count / 2, rate: Self.rate)
                out += stride(from: 0, to: piece.samples.count, by: 2).map { piece.samples[$0] }
            }
        }
        for start in stride(from: 0, to: seconds * Self.rate, by: 1024) {
            let frames = start..<min(start + 1024, seconds * Self.rate)
            let samples = frames.flatMap { frame -> [Float] in
                let value = Float(sin(2 * .pi * Self.tone * Double(frame) / Double(Self.rate)))
                return [value, -value]
            }
            // As containers round.
            let time = begin + MediaTime(seconds: (Double(start) / Double(Self.rate) * scale * 1000).rounded() / 1000)
            add(try paced.take(samples, at: time))
        }
        add(paced.finish())
        return out
    }

    @Test(arguments: [1.0003, 0.9996, 1.00008])
    func `a clock that runs away is followed to the sample, without a step`(scale: Double) throws {
        let seconds = 20
        let out = try paced(scale, seconds: seconds, from: 3 * .second)
        #expect(abs(Double(out.count) - Double(seconds * Self.rate) * scale) <= 1)
        let errors = out.indices.dropFirst(100).dropLast(100).map { frame in
            abs(Double(out[frame]) - sin(2 * .pi * Self.tone * Double(frame) / Double(Self.rate) / scale))
        }
        // An eighth of a sample of that tone is 0.016.
        #expect(errors.max() ?? 1 < 0.02, "\(errors.max() ?? -1)")
        let steps = zip(out, out.dropFirst()).map { abs($1 - $0) }
        #expect(steps.max() ?? 1 < 0.14, "\(steps.max() ?? -1)")
    }

    @Test func `what comes after a gap lies where it belongs`() throws {
        let paced = PacedSamples(scale: 1.0003, channels: 2, rate: Self.rate)
        let second = [Float](repeating: 0.5, count: Self.rate * 2)
        _ = try paced.take(second, at: .zero)
        let later = try paced.take(second, at: 5 * .second)
        // The rest of the first, then the second.
        #expect(later.count == 2 && later.last?.time == 5 * .second)
        let end =
            (later.first?.time ?? .zero)
            + MediaTime(samples: (later.first?.samples.count ?? 0) / 2, rate: Self.rate)
        #expect((end - MediaTime(seconds: 1.0003)).length < 30 * .microsecond, "\(end)")
    }
}
