import Encoding
import Errors
import Foundation
import MovieFiles
import SystemPackage

extension SubtitleFile {
    /// Reads a file for an output. Blocks.
    ///
    /// - Throws: ``RushesError`` that says what is wrong with the file, or that the output cannot hold its subtitles.
    init(_ added: AddedSubtitles, for container: Container) throws(RushesError) {
        guard let path = added.path else { throw RushesError(.badInput, "The subtitles' path cannot be read.") }
        try self.init(path, language: added.language.flatMap { TrackLanguage($0) })
        let cure = "or draw them into the frames with \(Term.burntSubtitles)"
        if isBitmap, !container.holdsSubtitleImages {
            throw RushesError(
                .invalidSettings, on: path.string,
                "\(name) has images, and \(container.displayName) holds subtitles as text only; name the output .mkv, \(cure)."
            )
        }
    }

    /// Sentences about what became of it.
    ///
    /// - Parameters:
    ///   - shown: how many of its subtitles are shown.
    ///   - late: how many only after the end.
    func notes(shown: Int, late: Int) -> [String] {
        guard shown > 0 else {
            return ["\(name) has no subtitles at the times of this movie, so it is left out."]
        }
        let added =
            language.map { "\(name) is added as \($0.displayName) subtitles." }
            ?? "\(name) is added as subtitles without a language; name it as in “\(Term.addedSubtitles) \(name):en”."
        let ending = late == 0 ? [] : ["Left out: \(late) of its subtitles, after the movie's end."]
        return [added] + ending + omissions
    }
}

extension Container {
    /// Whether subtitles may be images; text alone where not.
    var holdsSubtitleImages: Bool { !isMovieFile && self != .webm }
}
