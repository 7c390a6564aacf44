import GStreamer
import Testing

@testable import Encoding
@testable import Workarounds

/// 10 and 12 bits made 8 among GStreamer's own elements.
@Suite struct DitherElementTests {
    init() {
        DepthElement.register()
        DitherElement.register()
    }

    /// A plane of one value, made of as many rows or of twice as many.
    private func reduced(
        _ value: Int, depth: Int, isFullRange: Bool = false, isChroma: Bool = false, halvesRows: Bool = false
    ) -> [UInt8] {
        let samples = [UInt16](repeating: UInt16(value), count: 16 * (halvesRows ? 32 : 16))
        return samples.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return [] }
            let plane = OrderedDither.Plane(
                bytes: base, stride: 32, width: 16, height: halvesRows ? 32 : 16, madeHeight: 16, rows: 16,
                isChroma: isChroma)
            return OrderedDither(bitDepth: depth, shift: 0, isFullRange: isFullRange, width: 16).reduced([plane])
        }
    }

    @Test(arguments: [10, 12], [false, true])
    func `a smooth area keeps its mean, and what 8 bits can tell stays`(depth: Int, halvesRows: Bool) {
        let unit = 1 << (depth - 8)
        for value in 0..<256 * unit {
            let made = reduced(value, depth: depth, halvesRows: halvesRows)
            let mean = made.reduce(0.0) { $0 + Double($1) } / 256
            #expect(mean == min(255, Double(value) / Double(unit)), "\(value)")
            guard let (least, most) = made.min().flatMap({ least in made.max().map { (least, $0) } }) else { return }
            #expect(most - least <= (value % unit == 0 ? 0 : 1), "\(value)")
        }
    }

    @Test func `all of the range stays all of it, and chroma stays around its middle`() {
        #expect(Set(reduced(1023, depth: 10, isFullRange: true)) == [255])
        #expect(Set(reduced(0, depth: 10, isFullRange: true)) == [0])
        #expect(Set(reduced(4095, depth: 12, isFullRange: true)) == [255])
        #expect(Set(reduced(512, depth: 10, isFullRange: true, isChroma: true)) == [128])
    }

    /// 8 bits of studio range made 10 and 8 again are what they were; AYUV has nothing between its samples that could differ.
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [("I420", "I420_10LE"), ("Y42B", "I422_10LE"), ("Y444", "Y444_10LE"), ("I420", "P010_10LE")],
        [(16, 16), (34, 18), (18, 30), (132, 52)])
    func `each sample is in its place, and the colours are called what they were`(
        formats: (original: String, deep: String), size: (Int, Int)
    ) async throws {
        for mode in size.1 % 4 == 0 ? ["progressive", "interleaved"] : ["progressive"] {
            let source: [PipelineDescription.Node] = [
                .make("videotestsrc", ["num-buffers": 2, "pattern": "smpte"]),
                .caps(
                    try Caps(
                        "video/x-raw,format=\(formats.original),width=\(size.0),height=\(size.1),framerate=30/1,"
                            + "colorimetry=(string)bt709,interlace-mode=(string)\(mode)")),
            ]
            let convert = PipelineDescription.Node.make("videoconvert", ["dither": "none"])
            let back: [PipelineDescription.Node] = [
                .make("rushesdeepen"), convert, .caps(try Caps("video/x-raw,format=(string)\(formats.deep)")),
                .make("rushesdither"), convert, .caps(try Caps("video/x-raw,format=(string)\(formats.original)")),
            ]
            let packed: [PipelineDescription.Node] = [convert, .caps(try Caps("video/x-raw,format=(string)AYUV"))]
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

    @Test func `only frames of more bits for an encoder of 8 pass through it`() throws {
        func has(_ formats: [String], _ own: String?) throws -> Bool {
            try VideoEncoder.conversion(to: formats, from: own).contains(.make(DitherElement.name))
        }
        #expect(try has(["I420", "NV12"], "I422_10LE") && has(["NV12"], "P010_10LE") && has(["NV12"], "I420_10LE"))
        #expect(try has(["I420"], "GBR_12LE") && has(["Y444"], "Y444_12LE") && has(["I420"], "v210"))
        #expect(try !has(["I420"], "NV12") && !has(["I420"], nil) && !has(["I420"], "RGB"))
        #expect(try !has(["I420", "I422_10LE"], "I422_10LE") && !has(["I420_10LE"], "I420_12LE"))
    }
}
