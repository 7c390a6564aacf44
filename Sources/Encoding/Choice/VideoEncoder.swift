public import GStreamer

/// A video encoder that fits a request, with all its settings: one candidate of
/// ``EncoderTables/videoEncoders(for:installed:)``.
public struct VideoEncoder: Sendable, Equatable {
    /// What it writes.
    public var codec: VideoCodec
    /// The GStreamer element.
    public var element: String
    /// Whether a special part of the machine does the work.
    public var isHardware: Bool
    /// What the element is set to.
    public var properties: [PipelineDescription.Property]
    /// The table's name for the trade of speed for size; `nil` where there is one only, as with hardware.
    public var speed: String?
    /// Whether the cores keep up with the request, as far as the measured cost tells.
    public var keepsUp: Bool
    /// Raw formats it takes at the depth asked for, the cheapest first.
    public var formats: [String]
    /// The constant qualities that it knows, worst first; empty where it knows rates only.
    public var qualityLevels: [QualityLevel] = []
    /// What people call their unit: "crf".
    public var qualityName = "quantiser"
    /// Range, matrix, transfer and primaries that the raw pictures must have, with `*` for "as they come"; or `nil`.
    public var colorimetry: String?
    /// Caps that must follow the encoder.
    public var output: String?
    /// The element that must follow the encoder, or `nil`.
    public var parser: String?
    /// What the muxer is handed.
    public var caps: String
    /// One line for people: what was chosen and why.
    public var reason: String

    /// Everything between the raw pictures and the muxer.
    ///
    /// - Parameter source: the raw pictures' colorimetry as their caps give it, such as "bt709" or "2:4:5:4".
    /// - Throws: ``GStreamerError`` if the table's caps are not caps.
    public func nodes(colorimetry source: String? = nil) throws(GStreamerError) -> [PipelineDescription.Node] {
        var raw =
            "video/x-raw,format=(string)" + (formats.count == 1 ? formats[0] : "{ \(formats.joined(separator: ", ")) }")
        if let colorimetry { raw += ",colorimetry=(string)\(ColorimetryPattern.filling(colorimetry, from: source))" }
        var nodes: [PipelineDescription.Node] = [
            // The default dither adds noise to what is only repacked: ProRes lost 11 dB to it and grew by a quarter.
            .make("videoconvert", ["dither": "none"]),
            .caps(try Caps(raw)),
            .element(element, name: "video-encoder", properties: properties),
        ]
        if let output { nodes.append(.caps(try Caps(output))) }
        if let parser { nodes.append(.make(parser)) }
        // Without a parser the output's caps are the muxer's, and gst-launch-1.0 takes no two one behind the other.
        if output == nil || parser != nil { nodes.append(.caps(try Caps(caps))) }
        return nodes
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
