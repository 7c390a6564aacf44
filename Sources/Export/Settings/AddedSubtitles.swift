import Encoding
import Errors
import MovieFiles
package import SystemPackage

/// A file of subtitles that becomes a track of the output.
package struct AddedSubtitles: Codable, Sendable, Hashable {
    /// Its path as a manifest keeps it; nil for ``beside``.
    private var file: String?
    /// BCP 47; nil: as its name says it.
    package private(set) var language: String?

    package var path: FilePath? { file.flatMap { FilePath(wireText: $0) } }

    /// All that lie beside the input and are called as it is: film.srt and film.de.forced.srt of film.mkv.
    package static let beside = AddedSubtitles()
    package var areBeside: Bool { file == nil }

    private init() {}

    private init(_ path: FilePath) { file = path.wireText }

    /// - Parameter text: `auto` for ``beside``; the path of a file with one of ``SubtitleChoice/endings``, and its language behind a colon where its name does not
    ///   say it; nil for anything else.
    package init?(_ text: String, path: (String) -> FilePath) {
        func isFile(_ text: Substring) -> Bool {
            let name = text.lowercased()
            return SubtitleChoice.endings.contains { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
        }
        if text.lowercased() == "auto" {
            self = .beside
        } else if isFile(text[...]) {
            file = path(text).wireText
        } else if let colon = text.lastIndex(of: ":"), isFile(text[..<colon]),
            let language = TrackLanguage(String(text[colon...].dropFirst()))
        {
            (file, self.language) = (path(String(text[..<colon])).wireText, language.tag)
        } else {
            return nil
        }
    }

    /// The files that it means, of ``beside`` in the order of their names. Blocks.
    ///
    /// - Parameters:
    ///   - input: beside which they lie.
    ///   - holdsImages: whether the output takes subtitles that are images; files of those are not found where it does not.
    /// - Throws: ``RushesError`` where the folder cannot be read.
    fileprivate func files(of input: FilePath, holdsImages: Bool) throws(RushesError) -> [AddedSubtitles] {
        guard areBeside else { return [self] }
        let folder = input.removingLastComponent()
        let contents = try FolderListing.contents(of: folder.isEmpty ? "." : folder)
        return contents.others.filter { file in
            file.belongs(to: input)
                && SubtitleChoice.endings.contains { ending in
                    (holdsImages || ending != ".sup") && file.string.lowercased().hasSuffix(ending)
                }
        }.map { AddedSubtitles($0) }
    }
}

extension [AddedSubtitles] {
    /// Reads them. Blocks.
    ///
    /// - Parameter input: the movie beside which they may lie.
    /// - Returns: also what there is to tell: one that was found beside the movie and cannot be read is left out.
    /// - Throws: ``RushesError`` for one that was named.
    func read(
        for input: FilePath, in container: Container
    ) throws(RushesError) -> (files: [SubtitleFile], notes: [String]) {
        var (files, notes): ([SubtitleFile], [String]) = ([], [])
        for added in self {
            let found = try added.files(of: input, holdsImages: container.holdsSubtitleImages)
            for file in found {
                do {
                    files.append(try SubtitleFile(file, for: container))
                } catch  where added.areBeside {
                    notes.append("\(file.path?.lastComponent?.string ?? "") is left out. \(error.description)")
                }
            }
            if added.areBeside, found.isEmpty {
                notes.append("No subtitles lie beside \(input.displayName) under its name.")
            }
        }
        return (files, notes)
    }
}

extension FilePath {
    /// Whether it is called as a movie is, with nothing more than a language and what the subtitles are for: those of film.2.mkv are not those
    /// of film.mkv.
    fileprivate func belongs(to movie: FilePath) -> Bool {
        guard let stem = movie.stem, let name = self.stem else { return false }
        return name == stem || name.hasPrefix(stem + ".") && SubtitleFile.tell(name.dropFirst(stem.count + 1))
    }
}
