package import GStreamer
import MediaTypes

extension VideoCodec {
    /// The codec of an encoded stream, such as a camera's own, or of an encoding profile; `nil` for any other.
    package init?(caps: Caps) {
        guard let name = caps.first?.name else { return nil }
        self.init(mediaType: name)
    }

    /// - Parameter name: of caps.
    init?(mediaType name: String) {
        guard let codec = Self.allCases.first(where: { $0.mediaType == name }) else { return nil }
        self = codec
    }

    /// GStreamer's name for it; `copy` is none.
    var mediaType: String? { identifiers?.mediaType }

    /// What brings its stream into the form that muxers take, with nothing in between or an element that does something to it.
    ///
    /// - Parameter stampsDecoding: whether frames get decoding times too, which not all containers tell and muxers need.
    package func storedForm(stampsDecoding: Bool) -> [PipelineDescription.Node] {
        func parameterSets(_ parser: String, _ stamper: String, _ format: String) -> [PipelineDescription.Node] {
            let caps = Caps(
                mediaType ?? "", ["stream-format": .string(format), "alignment": .string("au")])
            // The stamper (1.22) does not hand the wish for a form on to the parser.
            return [.make(parser), .caps(caps)] + (stampsDecoding ? [.make(stamper)] : [])
        }
        return switch self {
        case .h264: parameterSets("h264parse", "h264timestamper", "avc")
        case .hevc: parameterSets("h265parse", "h265timestamper", "hvc1")
        case .av1: [.make("av1parse")]
        case .vp9: [.make("vp9parse")]
        case .mjpeg: stampsDecoding ? [] : [.make("jpegparse")]
        case .prores, .gif, .copy: []
        }
    }
}

extension AudioCodec {
    /// The codec of an encoded stream or of an encoding profile; `nil` for any other.
    package init?(caps: Caps) {
        switch caps.first?.name {
        case "audio/mpeg" where caps.first?["mpegversion"]?.intValue != 1: self = .aac
        case "audio/mpeg" where caps.first?["layer"]?.intValue == 3: self = .mp3
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
    ///
    /// - Parameter format: its caps, as text. Caps of GStreamer's own would start it, which a copy may not need: 7 ms and 5 MB.
    init?(format: String) {
        let fields = format.split(separator: ",").map { $0.filter { !$0.isWhitespace && $0 != "\"" } }
        switch fields.first {
        case "video/quicktime":
            self = fields.contains("variant=(string)iso") || fields.contains("variant=iso") ? .mp4 : .mov
        case "video/x-matroska": self = .mkv
        case "video/webm": self = .webm
        case "image/gif": self = .gif
        default: return nil
        }
    }
}
