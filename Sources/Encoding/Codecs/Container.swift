package import Errors
package import MovieFiles

/// What kind of file a movie is.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Container: String, Codable, Sendable, Hashable, CaseIterable {
    /// QuickTime (Apple, "QuickTime File Format").
    case mov
    /// MP4 (ISO/IEC 14496-14).
    case mp4
    /// Matroska (RFC 9559).
    case mkv
    /// WebM, Matroska for browsers.
    case webm
    /// MP4 with audio alone.
    case m4a
    /// WAVE, audio alone as it is; RF64 where it is longer than 4 GiB.
    case wav
    /// FLAC, audio alone without loss.
    case flac
    /// MP3, audio alone.
    case mp3
    /// Opus in Ogg (RFC 7845), audio alone.
    case opus
    /// Ogg (RFC 3533) with audio alone: Opus, or Vorbis that is copied.
    case ogg
    /// Matroska with audio alone.
    case mka
    /// GIF, frames of 256 colors that are shown for ever.
    case gif

    /// The container that a file's ending stands for.
    ///
    /// - Throws: ``RushesError`` if the ending is missing or none of the known ones.
    package init(fileName: String) throws(RushesError) {
        let name = fileName.split(separator: "/").last.map(String.init) ?? fileName
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
            throw RushesError(.invalidSettings, "“\(name)” has no extension; \(Self.cure)")
        }
        let ending = name[name.index(after: dot)...].lowercased()
        switch ending {
        case "mov", "qt": self = .mov
        case "mp4", "m4v": self = .mp4
        case "mkv": self = .mkv
        case "webm": self = .webm
        case "m4a", "m4b": self = .m4a
        case "wav": self = .wav
        case "flac": self = .flac
        case "mp3": self = .mp3
        case "opus": self = .opus
        case "ogg", "oga": self = .ogg
        case "mka": self = .mka
        case "gif": self = .gif
        default:
            throw RushesError(
                .invalidSettings,
                "“.\(ending)” is not a movie format that Rushes can write; \(Self.cure)")
        }
    }

    private static let cure =
        "name the file .mov, .mp4, .mkv or .webm, or, for audio alone, .m4a, .mp3, .opus, .ogg, .wav, .flac or .mka"

    /// The name for people.
    package var displayName: String {
        switch self {
        case .mov: "QuickTime"
        case .mp4: "MP4"
        case .mkv: "Matroska"
        case .webm: "WebM"
        case .m4a: "M4A"
        case .wav: "WAV"
        case .flac: "FLAC"
        case .mp3: "MP3"
        case .opus: "Opus"
        case .ogg: "Ogg"
        case .mka: "MKA"
        case .gif: "GIF"
        }
    }

    /// The GStreamer element that writes it.
    package var muxer: String {
        switch self {
        case .mov: "qtmux"
        case .mp4, .m4a: "mp4mux"
        case .mkv, .mka: "matroskamux"
        case .webm: "webmmux"
        // In a pipeline that is printed; Rushes writes these by itself.
        case .wav: "wavenc"
        case .flac: "flacparse"
        case .mp3: "xingmux"
        case .opus, .ogg: "oggmux"
        case .gif: "avmux_gif"
        }
    }

    /// Whether it is QuickTime or MP4, which `MovieFileWriter` writes in fragments and completes.
    package var isMovieFile: Bool { self == .mov || self == .mp4 || self == .m4a }

    /// Whether Matroska's muxer writes it, which must know what the file tells before the first packet.
    package var isMatroska: Bool { self == .mkv || self == .webm || self == .mka }

    /// Whether it is Ogg, whose streams say themselves what only primes a decoder.
    package var isOgg: Bool { self == .opus || self == .ogg }

    /// Whether it has a place for video; the others hold audio alone.
    package var holdsVideo: Bool {
        switch self {
        case .mov, .mp4, .mkv, .webm, .gif: true
        case .m4a, .wav, .flac, .mp3, .opus, .ogg, .mka: false
        }
    }

    /// Whether it has a place for audio of several microphones beside each other.
    package var holdsSeveralAudioTracks: Bool {
        switch self {
        case .mov, .mp4, .mkv, .webm, .mka: true
        case .m4a, .wav, .flac, .mp3, .opus, .ogg, .gif: false
        }
    }

    /// Whether it keeps whole files beside its tracks, such as fonts and covers.
    package var holdsAttachments: Bool { self == .mkv || self == .mka }

    /// Whether it keeps an image that stands for the movie.
    package var holdsCover: Bool { isMovieFile || holdsAttachments || self == .flac || self == .mp3 || isOgg }

    /// Whether it keeps places that get a name while it is recorded.
    package var keepsMarks: Bool { !isMatroska }

    /// The kind of MP4 that it is before all others (ISO/IEC 14496-12, `ftyp`); `nil` is the muxer's.
    package var majorBrand: String? { self == .m4a ? "M4A " : nil }

    /// What `MovieFiles` writes without a muxer; `nil` for what has one.
    package var audioFile: AudioFileType? {
        switch self {
        case .wav: .wave
        case .flac: .flac
        case .mp3: .mp3
        case .opus, .ogg: .ogg
        default: nil
        }
    }
}
