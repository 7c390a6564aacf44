package import Errors

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

    /// The container that a file's ending stands for.
    ///
    /// - Throws: ``RushesError`` if the ending is missing or none of the known ones.
    package init(fileName: String) throws(RushesError) {
        let name = fileName.split(separator: "/").last.map(String.init) ?? fileName
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
            throw RushesError(.invalidSettings, "“\(name)” has no extension; name the file .mov, .mp4, .mkv or .webm")
        }
        let ending = name[name.index(after: dot)...].lowercased()
        switch ending {
        case "mov", "qt": self = .mov
        case "mp4", "m4v": self = .mp4
        case "mkv", "mka": self = .mkv
        case "webm": self = .webm
        default:
            throw RushesError(
                .invalidSettings,
                "“.\(ending)” is not a movie format that Rushes can write; name the file .mov, .mp4, .mkv or .webm")
        }
    }

    /// The name for people.
    package var displayName: String {
        switch self {
        case .mov: "QuickTime"
        case .mp4: "MP4"
        case .mkv: "Matroska"
        case .webm: "WebM"
        }
    }

    /// The GStreamer element that writes it.
    package var muxer: String {
        switch self {
        case .mov: "qtmux"
        case .mp4: "mp4mux"
        case .mkv: "matroskamux"
        case .webm: "webmmux"
        }
    }

    /// Whether `MovieFiles` completes the file; otherwise the muxer does it alone.
    package var isMovieFile: Bool { self == .mov || self == .mp4 }
}
