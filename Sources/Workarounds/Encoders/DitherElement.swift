import Errors
package import GStreamer

/// GStreamer 1.22, videoconvert: goes with the version that rounds the bits that it takes away; `WorkaroundTests` “videoconvert, 10 to 8 bits”.
///
/// ``OrderedDither`` as a GStreamer element of this process, `rushesdither`: an "encoder" whose code is raw frames.
///
/// GStreamer's converter (1.22) cuts bits off, so frames become 0.4 code values darker; its own dithers begin from 16 bits to which it has
/// stretched 10, so white and gray that 8 bits can tell get noise.
package enum DitherElement {
    package static let name = "rushesdither"

    /// Registers it once.
    package static func register() { _ = isRegistered }

    /// What it takes, by GStreamer's names, and what it can make of that, the best first.
    private struct Deep {
        let bitDepth: Int
        var shift = 0
        let made: [String]
    }

    private static let deep = [
        "I420_10LE": Deep(bitDepth: 10, made: ["I420"]), "I420_12LE": Deep(bitDepth: 12, made: ["I420"]),
        "I422_10LE": Deep(bitDepth: 10, made: ["Y42B", "I420"]),
        "I422_12LE": Deep(bitDepth: 12, made: ["Y42B", "I420"]),
        "Y444_10LE": Deep(bitDepth: 10, made: ["Y444"]), "Y444_12LE": Deep(bitDepth: 12, made: ["Y444"]),
        "P010_10LE": Deep(bitDepth: 10, shift: 6, made: ["NV12"]),
    ]

    private static let isRegistered: Bool = {
        // Without "alternate", whose fields come in buffers of their own.
        func caps(_ names: Set<String>) throws -> Caps {
            try Caps(
                "video/x-raw,format=(string){\(names.sorted().joined(separator: ","))},"
                    + "interlace-mode=(string){progressive,interleaved,mixed,fields}")
        }
        guard let input = try? caps(Set(deep.keys)), let output = try? caps(Set(deep.values.flatMap(\.made))) else {
            return false
        }
        return EncoderElement(
            name: name, longName: "Dither of Rushes", input: input, output: output, make: Adapter.init
        ).register()
    }()

    /// What is put before an encoder that takes these formats, for frames that come in that one; empty where no bits are lost.
    ///
    /// - Parameter fields: further fields of the caps, such as ",colorimetry=(string)bt709".
    package static func nodes(to formats: [String], from own: String?, _ fields: String) throws(GStreamerError)
        -> [PipelineDescription.Node]
    {
        guard let own, let first = formats.first else { return [] }
        let depth = VideoFrameLayout.bitDepth(own)
        guard depth > 8, formats.allSatisfy({ VideoFrameLayout.bitDepth($0) == 8 }) else { return [] }
        func take(_ names: [String], _ more: String = "") -> String {
            names.map { "video/x-raw,format=(string)\($0)\(more)\(fields)" }.joined(separator: ";")
        }
        if let made = deep[own]?.made.first(where: formats.contains) {
            // The rows of fields are not between those of the frame, so their chroma is left to GStreamer.
            let halves = made == "I420" && own.hasPrefix("I422")
            let caps =
                halves
                ? take([own], ",interlace-mode=(string)progressive") + ";" + take([own.replacing("I422", with: "I420")])
                : take([own])
            return [.caps(try Caps(caps)), .make(name)]
        }
        guard let planar = planar[first] else { return [] }
        let name = "\(planar == "I420" ? "I420" : planar == "Y42B" ? "I422" : "Y444")_\(depth > 10 ? 12 : 10)LE"
        let back = formats.contains(planar) ? [] : [PipelineDescription.Node.make("videoconvert", ["dither": "none"])]
        return [.caps(try Caps(take([name]))), .make(Self.name)] + back
    }

    /// Formats of luma and chroma, and those that have the same samples in planes.
    private static let planar = [
        "I420": "I420", "NV12": "I420", "YV12": "I420", "NV21": "I420", "Y42B": "Y42B", "NV16": "Y42B",
        "YUY2": "Y42B", "UYVY": "Y42B", "Y444": "Y444", "NV24": "Y444",
    ]

    private final class Adapter: FrameEncoder {
        let output: Caps
        private let dither: OrderedDither
        private let isInterlaced: Bool
        private let made: String

        init(frames: Caps, following: Caps) throws {
            let format = frames.first
            let allowed = following.structures.flatMap { $0["format"]?.alternatives ?? [] }.compactMap(\.stringValue)
            guard let deep = deep[format?["format"]?.stringValue ?? ""], let width = format?["width"]?.intValue,
                let made = deep.made.first(where: allowed.contains)
            else { throw RushesError(.invalidSettings, "Only frames of 10 or 12 bits can be made 8 bits.") }
            self.made = made
            output = Caps("video/x-raw", ["format": .string(made)])
            dither = OrderedDither(
                bitDepth: deep.bitDepth, shift: deep.shift, isFullRange: Colorimetry(frames)?.isFullRange == true,
                // Of NV12 a row of chroma has U and V.
                width: width + 1)
            isInterlaced = (format?["interlace-mode"]?.stringValue ?? "progressive") != "progressive"
        }

        func encode(_ frame: borrowing RawFrame) throws -> [UInt8] {
            let luma = frame.planes.first?.height ?? 0
            let isQuarter = made == "I420" || made == "NV12"
            return dither.reduced(
                frame.planes.enumerated().map { index, plane in
                    let height = isQuarter && index > 0 ? (luma + 1) / 2 : plane.height
                    // GStreamer's 4:2:0 (video-info.c) has whole pairs of rows, and chroma too where fields share it.
                    let isPaired = isQuarter && (index == 0 || isInterlaced)
                    return OrderedDither.Plane(
                        bytes: plane.bytes, stride: plane.stride,
                        width: made == "NV12" && index > 0 ? 2 * plane.width : plane.width, height: plane.height,
                        madeHeight: height, rows: isPaired ? (height + 1) & ~1 : height, isChroma: index > 0)
                })
        }
    }
}
