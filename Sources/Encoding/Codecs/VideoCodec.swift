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
        case .copy: nil
        }
    }

    /// What is tried where no codec was asked for, best first; the first that the machine keeps up with wins.
    package static func defaults(for container: Container) -> [VideoCodec] {
        container == .webm ? [.vp9] : [.hevc, .h264]
    }
}
