import MediaTypes

/// How frames are written.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum VideoCodec: String, Codable, Sendable, Hashable, CaseIterable {
    /// H.265, tagged `hvc1`.
    case hevc
    case prores
    case h264
    case av1
    case vp9
    case mjpeg
    /// Frames of 256 colors, for exports to files of this kind.
    case gif
    /// The camera's own compressed stream, as it comes.
    case copy

    /// The name for people.
    package var displayName: String { identifiers?.displayName ?? "the camera's own stream" }

    /// What it is called elsewhere; `copy` is any.
    var identifiers: CodecIdentifiers? {
        switch self {
        case .hevc: .hevc
        case .prores: .prores
        case .h264: .h264
        case .av1: .av1
        case .vp9: .vp9
        case .mjpeg: .mjpeg
        case .gif: .gif
        case .copy: nil
        }
    }

    /// What is tried where no codec was asked for, best first; the first that the machine keeps up with wins.
    package static func defaults(for container: Container) -> [VideoCodec] {
        switch container {
        case .webm: [.vp9]
        case .gif: [.gif]
        default: [.hevc, .h264]
        }
    }

    /// Those that elements of GStreamer write, which the encoder tables list.
    package static var tabulated: [VideoCodec] { allCases.filter { $0 != .copy && $0 != .gif } }
}

/// How much ProRes keeps (Apple, "ProRes White Paper"). All but `fourFourFourFour` are 4:2:2, all have 10 bit here.
public enum ProResProfile: String, Codable, Sendable, Hashable, CaseIterable {
    case proxy
    case lt
    case standard = "422"
    case hq
    case fourFourFourFour = "4444"
}

/// How many colour samples a frame has beside its brightness samples.
public enum ChromaSubsampling: String, Codable, Sendable, Hashable, CaseIterable {
    /// A quarter, as cameras, discs and streams have them: what every player reads.
    case yuv420 = "4:2:0"
    /// Half, as in cameras for editing.
    case yuv422 = "4:2:2"
    /// All, as in frames of screens.
    case yuv444 = "4:4:4"

    /// - Parameter format: GStreamer's name of a raw format, such as "I422_10LE"; grey counts as a quarter.
    package init(rawFormat format: String) {
        func begins(_ names: [String]) -> Bool { names.contains { format.hasPrefix($0) } }
        if begins([
            "Y42B", "I422", "A422", "YUY2", "UYVY", "YVYU", "VYUY", "UYVP", "NV16", "NV61", "v210", "v216", "Y21",
        ]) {
            self = .yuv422
        } else if begins([
            "Y444", "A444", "Y41", "AYUV", "VUYA", "v308", "IYU2", "NV24", "RGB", "BGR", "GBR", "ARGB", "ABGR", "xRGB",
            "xBGR",
            "r210",
        ]), format != "Y41B" {
            self = .yuv444
        } else {
            self = .yuv420
        }
    }
}
