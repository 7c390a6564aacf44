import MovieFiles
package import SystemPackage

/// Which subtitles are drawn into the frames.
package enum SubtitleChoice: Codable, Sendable, Hashable {
    /// The first that is meant of the input's own.
    case track(TrackSelection.Choice)
    /// Those of a file of their own, by its path as a manifest keeps it.
    case file(wireText: String)

    /// - Parameter text: a number, a language, or the path of a file with one of ``endings``; nil for anything else.
    package init?(_ text: String, path: (String) -> FilePath) {
        if Self.endings.contains(where: text.lowercased().hasSuffix) {
            self = .file(wireText: path(text).wireText)
        } else if let choice = TrackSelection.Choice(text) {
            self = .track(choice)
        } else {
            return nil
        }
    }

    /// Of files that are read.
    package static let endings = [".srt", ".vtt", ".ass", ".ssa", ".sup"]

    /// nil for a track of the input.
    package var file: FilePath? {
        guard case .file(let text) = self else { return nil }
        return FilePath(wireText: text)
    }
}
