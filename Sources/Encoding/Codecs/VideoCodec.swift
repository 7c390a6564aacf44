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
    public var displayName: String {
        switch self {
        case .hevc: "HEVC"
        case .prores: "ProRes"
        case .h264: "H.264"
        case .av1: "AV1"
        case .vp9: "VP9"
        case .mjpeg: "Motion JPEG"
        case .copy: "the camera's own stream"
        }
    }

    /// What is tried where no codec was asked for, best first; the first that the machine keeps up with wins.
    package static func defaults(for container: Container) -> [VideoCodec] {
        container == .webm ? [.vp9] : [.hevc, .h264]
    }
}
