import GStreamer
import Testing

@testable import Encoding
@testable import Workarounds

/// 8 bits made 10 among GStreamer's own elements.
@Suite struct DepthElementTests {
    init() { DepthElement.register() }

    @Test func `studio range is shifted, the whole range repeats its highest bits, chroma keeps its middle`() {
        func converted(_ values: [UInt8], isFullRange: Bool) -> [UInt16] {
            values.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return [] }
                let plane = BitDepthConverter.Plane(
                    bytes: base, stride: values.count, width: values.count, height: 1, rows: 1)
                let made = BitDepthConverter(isFullRange: isFullRange).converted([plane, plane])
                return made.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
            }
        }
        #expect(converted([0, 16, 128, 235, 255, 1], isFullRange: false).prefix(6) == [0, 64, 512, 940, 1020, 4])
        #expect(converted([0, 16, 128, 235, 255, 1], isFullRange: true).prefix(6) == [0, 64, 514, 943, 1023, 4])
        #expect(converted([0, 16, 128, 235, 255, 1], isFullRange: true).suffix(6) == [0, 64, 512, 940, 1020, 4])
    }

    /// Read back by GStreamer's own converter, which takes the two lowest bits off again; AYUV has nothing between its samples
    /// that could differ.
    @Test(
        .timeLimit(.minutes(10)), arguments: ["I420", "Y42B", "Y444"],
        [(16, 16), (34, 18), (18, 30), (132, 52)])
    func `each sample is in its place, and the colours are called what they were`(
        format: String, size: (Int, Int)
    ) async throws {
        for mode in size.1 % 4 == 0 ? ["progressive", "interleaved"] : ["progressive"] {
            let source: [PipelineDescription.Node] = [
                .make("videotestsrc", ["num-buffers": 2, "pattern": "smpte"]),
                .caps(
                    try Caps(
                        "video/x-raw,format=\(format),width=\(size.0),height=\(size.1),framerate=30/1,"
                            + "colorimetry=(string)bt709,interlace-mode=(string)\(mode)")),
            ]
            let back: [PipelineDescription.Node] = [
                .make("rushesdeepen"), .make("videoconvert", ["dither": "none"]),
                .caps(try Caps("video/x-raw,format=(string)\(format)")),
            ]
            let packed: [PipelineDescription.Node] = [
                .make("videoconvert", ["dither": "none"]), .caps(try Caps("video/x-raw,format=(string)AYUV")),
            ]
            let originals = try await Chain.frames(source + packed)
            let made = try await Chain.frames(source + back + packed)
            #expect(originals.count == 2 && made.count == 2)
            for (original, made) in zip(originals, made) {
                #expect(original.bytes == made.bytes && original.time == made.time)
                for field in ["colorimetry", "interlace-mode", "framerate", "pixel-aspect-ratio", "chroma-site"] {
                    #expect(original.caps?[field] == made.caps?[field])
                }
            }
        }
    }

    @Test func `only frames of 8 bits for an encoder of 10 pass through it`() throws {
        func has(_ formats: [String], _ own: String?) throws -> Bool {
            try VideoEncoder.conversion(to: formats, from: own).contains(.make(DepthElement.name))
        }
        #expect(try has(["I420_10LE"], "NV12") && has(["Y444_10LE"], "I420"))
        #expect(try !has(["I420_10LE"], "I420_10LE") && !has(["I420_10LE"], "RGB") && !has(["I420_10LE"], nil))
        #expect(try !has(["I420", "NV12"], "I420") && !has(["I422_10LE", "I420"], "I420"))
    }
}
