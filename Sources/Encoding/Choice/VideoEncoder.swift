package import GStreamer
import Workarounds

/// A video encoder that fits a request, with all its settings: one candidate of
/// ``EncoderTables/videoEncoders(for:installed:)``.
package struct VideoEncoder: Sendable, Equatable {
    /// What it writes.
    package var codec: VideoCodec
    /// The GStreamer element.
    package var element: String
    /// Whether a special part of the machine does the work.
    package var isHardware: Bool
    /// What the element is set to.
    package var properties: [PipelineDescription.Property]
    /// The table's name for the trade of speed for size; `nil` where there is one only, as with hardware.
    package var speed: String?
    /// Whether the cores keep up with the request, as far as the measured cost tells.
    package var isRealTime: Bool
    /// How many cores it needs for the request, by its measured cost; 0 where the cores do not do the work, or nobody knows.
    package var load = 0.0
    /// Raw formats it takes at the depth asked for, the cheapest first.
    package var formats: [String]
    /// Whether it keeps how opaque frames are.
    package var keepsAlpha = false
    /// The pass that was asked for; `nil` where it knows none.
    package var pass: EncodingPass?
    /// The part of the time of two passes that the first one takes, about.
    package var firstPassShare = 0.5
    /// The constant qualities that it knows, worst first; empty where it knows rates only.
    package var qualityLevels: [QualityLevel] = []
    /// What people call their unit: "crf".
    package var qualityName = "quantiser"
    /// Whether the library behind it has copied a frame when the call with it returns, while GStreamer keeps the frame
    /// until it comes out encoded.
    package var copiesFrames = false
    /// Range, matrix, transfer and primaries that the raw frames must have, with `*` for "as they come"; or `nil`.
    package var colorimetry: String?
    /// Caps that must follow the encoder.
    package var output: String?
    /// The element that must follow the encoder, or `nil`.
    package var parser: String?
    /// What the muxer is handed.
    package var caps: String
    /// One line for people: what was chosen and why.
    package var reason: String

    /// Everything between the raw frames and the muxer.
    ///
    /// - Parameters:
    ///   - format: the raw frames', such as "NV12"; `nil` where it is not known.
    ///   - source: the raw frames' colorimetry as their caps give it, such as "bt709" or "2:4:5:4".
    /// - Throws: ``GStreamerError`` if the table's caps are not caps.
    package func nodes(
        format: String? = nil, colorimetry source: String? = nil
    ) throws(GStreamerError) -> [PipelineDescription.Node] {
        let colours = colorimetry.map { ",colorimetry=(string)\(ColorimetryPattern.filling($0, from: source))" } ?? ""
        var nodes =
            try Self.conversion(to: formats, from: format, colours)
            + [.element(element, name: "video-encoder", properties: properties)]
        if let output { nodes.append(.caps(try Caps(output))) }
        if let parser { nodes.append(.make(parser)) }
        // Without a parser the output's caps are the muxer's, and gst-launch-1.0 takes no two one behind the other.
        if output == nil || parser != nil { nodes.append(.caps(try Caps(caps))) }
        return nodes
    }
}

extension VideoEncoder {
    /// Makes one of some formats of raw frames.
    ///
    /// - Parameters:
    ///   - own: the frames' format, where it is known.
    ///   - fields: further fields of the caps behind it, each after a comma.
    /// - Throws: ``GStreamerError`` if that makes no caps.
    package static func conversion(
        to formats: [String], from own: String?, _ fields: String = ""
    ) throws(GStreamerError) -> [PipelineDescription.Node] {
        let list = formats.count == 1 ? formats[0] : "{ \(formats.joined(separator: ", ")) }"
        // The default dither adds noise to what is only repacked: ProRes lost 11 dB to it and grew by a quarter.
        let convert = PipelineDescription.Node.make("videoconvert", ["dither": "none"])
        let deepen = formats.count == 1 ? try DepthElement.nodes(to: formats[0], from: own, fields) : []
        let shallow = try DitherElement.nodes(to: formats, from: own, fields)
        return [convert] + deepen + shallow + [.caps(try Caps("video/x-raw,format=(string)\(list)\(fields)"))]
    }
}

enum ColorimetryPattern {
    /// Fills the `*` of "1:4:*:*" (range, matrix, transfer, primaries) from a source's colorimetry, or with BT.709's.
    static func filling(_ pattern: String, from source: String?) -> String {
        let source = (source.map { named[$0] ?? $0 } ?? "").split(separator: ":")
        let known = source.count == 4 ? source : ["2", "3", "5", "1"]
        let parts = pattern.split(separator: ":")
        guard parts.count == 4 else { return pattern }
        return zip(parts, known).map { $0 == "*" ? $1 : $0 }.joined(separator: ":")
    }

    /// GStreamer's short names (gst-plugins-base, `video-color.c`).
    private static let named = [
        "bt601": "2:4:16:4", "bt709": "2:3:5:1", "smpte240m": "2:5:6:5", "sRGB": "1:1:7:1",
        "bt2020": "2:6:13:7", "bt2020-10": "2:6:16:7", "bt2100-pq": "2:6:14:7", "bt2100-hlg": "2:6:15:7",
    ]
}
