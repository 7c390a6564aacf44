import MovieFiles
package import SystemPackage

/// A file of subtitles that becomes a track of the output.
package struct AddedSubtitles: Codable, Sendable, Hashable {
    /// Its path as a manifest keeps it.
    private var file: String
    /// BCP 47; nil: as its name says it.
    package private(set) var language: String?

    package var path: FilePath? { FilePath(wireText: file) }

    /// - Parameter text: the path of a file with one of ``SubtitleChoice/endings``, and its language behind a colon where its name does not
    ///   say it; nil for anything else.
    package init?(_ text: String, path: (String) -> FilePath) {
        func isFile(_ text: Substring) -> Bool {
            let name = text.lowercased()
            return SubtitleChoice.endings.contains { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
        }
        if isFile(text[...]) {
            file = path(text).wireText
        } else if let colon = text.lastIndex(of: ":"), isFile(text[..<colon]),
            let language = TrackLanguage(String(text[colon...].dropFirst()))
        {
            (file, self.language) = (path(String(text[..<colon])).wireText, language.tag)
        } else {
            return nil
        }
    }
}
