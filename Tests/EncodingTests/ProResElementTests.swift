import Foundation
import GStreamer
import Testing
import Threads

@testable import Encoding

/// The element among GStreamer's own, judged by ffmpeg's decoder.
@Suite struct ProResElementTests {
    init() { ProResElement.register() }

    /// Widths whose rows have nothing behind them in memory, so that all of it can be compared.
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [(16, 16), (20, 34), (132, 50), (324, 178)],
        [("I422_10LE", "hq"), ("I422_10LE", "proxy"), ("Y444_10LE", "4444")])
    func aDecoderGivesTheFramesBack(size: (Int, Int), kind: (format: String, variant: String)) async throws {
        let source: [PipelineDescription.Node] = [
            .make("videotestsrc", ["num-buffers": 3, "pattern": "zone-plate", "kx2": 2, "ky2": 2, "kt": 1]),
            .caps(
                try Caps(
                    "video/x-raw,format=\(kind.format),width=\(size.0),height=\(size.1),framerate=30/1,colorimetry=bt709"
                )),
        ]
        let originals = try await frames(source)
        let decoded = try await frames(
            source + [
                .make("rushesproresenc"), .caps(try Caps("video/x-prores,variant=(string)\(kind.variant)")),
                .make("avdec_prores"), .make("videoconvert"), .caps(try Caps("video/x-raw,format=\(kind.format)")),
            ])
        #expect(originals.count == 3 && decoded.count == 3)
        for (original, decoded) in zip(originals, decoded) {
            #expect(original.time == decoded.time)
            #expect(noise(original.samples, decoded.samples) > (kind.variant == "proxy" ? 38 : 48))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func aVariantThatDoesNotFitTheFramesIsRefused() async throws {
        await #expect(throws: GStreamerError.self) {
            try await frames([
                .make("videotestsrc", ["num-buffers": 1]), .caps(try Caps("video/x-raw,format=Y444_10LE")),
                .make("rushesproresenc"), .caps(try Caps("video/x-prores,variant=(string)hq")),
            ])
        }
    }

    struct Frame: Sendable {
        var time: MediaTime?
        var samples: [UInt16]
    }

    /// What comes out of a chain.
    private func frames(_ chain: [PipelineDescription.Node]) async throws -> [Frame] {
        let found = Locked<[Frame]>([])
        try await Chain.run(chain) { sample in
            let samples = try? sample.buffer?.withBytes { Array($0.bindMemory(to: UInt16.self)) }
            found.withLock { $0.append(Frame(time: sample.buffer?.presentationTime, samples: samples ?? [])) }
        }
        return found.withLock { $0 }
    }

    /// The peak signal to noise ratio of 10 bit, in dB.
    private func noise(_ a: [UInt16], _ b: [UInt16]) -> Double {
        guard a.count == b.count, !a.isEmpty else { return 0 }
        let squares = zip(a, b).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
        return 10 * log10(1023 * 1023 * Double(a.count) / max(squares, 1e-9))
    }
}
