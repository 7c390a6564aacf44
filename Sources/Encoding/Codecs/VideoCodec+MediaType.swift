package import GStreamer
import MediaTypes

extension VideoCodec {
    /// The codec of an encoded stream, such as a camera's own, or of an encoding profile; `nil` for any other.
    package init?(caps: Caps) {
        guard let name = caps.first?.name else { return nil }
        guard let codec = Self.allCases.first(where: { $0.mediaType == name }) else { return nil }
        self = codec
    }

    /// GStreamer's name for it; `copy` is none.
    var mediaType: String? { identifiers?.mediaType }
}

extension AudioCodec {
    /// The codec of an encoded stream or of an encoding profile; `nil` for any other, MP3 among them.
    package init?(caps: Caps) {
        switch caps.first?.name {
        case "audio/mpeg" where caps.first?["mpegversion"]?.intValue != 1: self = .aac
        case CodecIdentifiers.opus.mediaType: self = .opus
        case CodecIdentifiers.flac.mediaType: self = .flac
        case CodecIdentifiers.alac.mediaType: self = .alac
        case "audio/x-raw": self = .pcm
        default: return nil
        }
    }
}

extension Container {
    /// The container of an encoding profile; `nil` for any other.
    init?(caps: Caps) {
        switch caps.first?.name {
        case "video/quicktime": self = caps.first?["variant"] == .string("iso") ? .mp4 : .mov
        case "video/x-matroska": self = .mkv
        case "video/webm": self = .webm
        default: return nil
        }
    }
}
