package import Errors
import MediaTypes

/// How audio is written.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum AudioCodec: String, Codable, Sendable, Hashable, CaseIterable {
    case aac
    case opus
    case flac
    case mp3
    /// Apple Lossless.
    case alac
    case pcm
    /// No audio track.
    case none

    /// The name for people.
    package var displayName: String {
        switch self {
        case .aac: CodecIdentifiers.aac.displayName
        case .opus: CodecIdentifiers.opus.displayName
        case .flac: CodecIdentifiers.flac.displayName
        case .mp3: CodecIdentifiers.mp3.displayName
        case .alac: CodecIdentifiers.alac.displayName
        case .pcm: "PCM"
        case .none: "no audio"
        }
    }

    /// Whether it can be asked for a bit rate: not where no sample is lost, which has what it needs.
    package var hasBitrate: Bool {
        switch self {
        case .aac, .opus, .mp3: true
        case .flac, .alac, .pcm, .none: false
        }
    }

    package var refusalOfBitrate: RushesError {
        RushesError(
            .invalidSettings,
            "\(displayName) has no bit rate to choose; leave \(Term.audioBitrate) out, or use \(Term.audioCodec) aac, opus or mp3."
        )
    }

    /// What is written where no audio codec was asked for: what the frames' users expect beside them.
    package static func standard(for video: VideoCodec?, in container: Container) -> AudioCodec {
        switch container {
        case .webm, .mka, .opus, .ogg: .opus
        case .wav: .pcm
        case .flac: .flac
        case .mp3: .mp3
        case .mp4, .m4a: .aac
        case .mov, .mkv: video == .prores ? .pcm : .aac
        case .gif: .none
        }
    }
}
