import Errors
package import GStreamer

/// GStreamer 1.22, videoconvert: goes with the version that makes 10 bits of 8 in studio range; `WorkaroundTests` “videoconvert, 8 to 10 bits in studio range”.
///
/// ``BitDepthConverter`` as a GStreamer element of this process, `rushesdeepen`: an "encoder" whose code is raw frames.
///
/// GStreamer's converters (1.22) stretch 8 bits to all of 10, also in studio range: white becomes 943 where it is 940.
package enum DepthElement {
    package static let name = "rushesdeepen"

    /// Registers it once.
    package static func register() { _ = isRegistered }

    private static let isRegistered: Bool = {
        let formats = BitDepthConverter.formats
        func caps(_ names: some Collection<String>) throws -> Caps {
            try Caps("video/x-raw,format=(string){\(names.joined(separator: ","))},interlace-mode=(string)\(modes)")
        }
        guard let input = try? caps(formats.keys), let output = try? caps(formats.values) else { return false }
        return EncoderElement(
            name: name, longName: "8 to 10 bit of Rushes", input: input, output: output, make: Adapter.init
        ).register()
    }()

    /// Without "alternate", whose fields come in buffers of their own.
    private static let modes = "{progressive,interleaved,mixed,fields}"

    /// What is put before an encoder that takes this format, for frames that come in that one; empty where GStreamer's own
    /// conversion is as good.
    ///
    /// - Parameter fields: further fields of the caps, such as ",colorimetry=(string)bt709".
    package static func nodes(to wanted: String, from own: String?, _ fields: String) throws(GStreamerError)
        -> [PipelineDescription.Node]
    {
        guard let own, shallow.contains(own),
            let format = BitDepthConverter.formats.first(where: { $0.value == wanted })?.key
        else { return [] }
        return [.caps(try Caps("video/x-raw,format=(string)\(format)\(fields)")), .make(name)]
    }

    /// Formats of 8 bits whose numbers are luma and chroma. Of RGB the converter makes 10 bits as exactly as they can be.
    private static let shallow: Set<String> = [
        "I420", "YV12", "NV12", "NV21", "NV12_64Z32", "NV12_4L4", "NV12_32L32", "NV16", "NV61", "NV24", "Y42B", "Y444",
        "Y41B", "YUY2", "YVYU", "UYVY", "VYUY", "AYUV", "VUYA", "A420", "v308", "IYU1", "IYU2", "YUV9", "YVU9",
    ]

    private final class Adapter: FrameEncoder {
        let output: Caps
        private let converter: BitDepthConverter
        private let isInterlaced: Bool

        init(frames: Caps, following: Caps) throws {
            let format = frames.first
            guard let name = format?["format"]?.stringValue, let deep = BitDepthConverter.formats[name] else {
                throw RushesError(.invalidSettings, "Only planar frames of 8 bits can be made 10 bits.")
            }
            output = Caps("video/x-raw", ["format": .string(deep)])
            converter = BitDepthConverter(isFullRange: Colorimetry(frames)?.isFullRange == true)
            isInterlaced = (format?["interlace-mode"]?.stringValue ?? "progressive") != "progressive"
        }

        func encode(_ frame: borrowing RawFrame) throws -> [UInt8] {
            let luma = frame.planes.first?.height ?? 0
            return converter.converted(
                frame.planes.enumerated().map { index, plane in
                    // GStreamer's 4:2:0 (video-info.c) has whole pairs of rows, and chroma too where fields share it.
                    let isQuarter = frame.planes.last.map { $0.height < luma } == true
                    let isPaired = isQuarter && (index == 0 || isInterlaced)
                    return BitDepthConverter.Plane(
                        bytes: plane.bytes, stride: plane.stride, width: plane.width, height: plane.height,
                        rows: isPaired ? (plane.height + 1) & ~1 : plane.height)
                })
        }
    }
}
