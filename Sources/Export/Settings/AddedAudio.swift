import MovieFiles
package import SystemPackage

/// A file whose first audio track becomes a track of the output.
package struct AddedAudio: Codable, Sendable, Hashable {
    /// Its path as a manifest keeps it.
    private var file: String
    /// BCP 47; nil: as its name, or the file itself, says it.
    package private(set) var language: String?

    package var path: FilePath? { FilePath(wireText: file) }

    /// - Parameter text: the path of a file, and its language behind a colon where neither its name nor the file itself says it.
    package init(_ text: String, path: (String) -> FilePath) {
        guard let colon = text.lastIndex(of: ":"), text[..<colon].dropFirst().contains("."),
            let language = TrackLanguage(String(text[colon...].dropFirst()))
        else {
            file = path(text).wireText
            return
        }
        (file, self.language) = (path(String(text[..<colon])).wireText, language.tag)
    }
}
