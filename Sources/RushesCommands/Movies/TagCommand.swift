import ArgumentParser
import Errors
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// `rushes tag`: what a movie says about itself, changed without touching its samples.
struct TagCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Write title, place, date, camera and chapters into a finished movie.",
        discussion: """
            What is given replaces what the movie says, and an empty text removes it, all but the date; the rest stays.

            EXAMPLES
              rushes tag take.mov --title "Day one" --location +48.8577+002.295/
              rushes tag talk.mp4 --chapter 0=Welcome --chapter 1m30s=Slides
              rushes tag take.mov --artist "Ann Lee" --comment ""
            """)

    @Argument(help: "The movie.", completion: .file(extensions: ["mov", "mp4"]), transform: nonEmpty) var file: String
    @OptionGroup var tags: TagOptions
    @Option(
        help: ArgumentHelp(
            "A chapter and when it begins, such as 1m30s=Slides; the chapters given replace all others.",
            valueName: "time=name"))
    var chapter: [ChapterArgument] = []

    func run() async throws {
        let path = FilePath(typed: file)
        try await reportingFailures(verbose: false) {
            let metadata = try tags.metadata()
            guard metadata != MovieMetadata() || !chapter.isEmpty else {
                throw ValidationError(
                    "There is nothing to write; give --title, --artist, --comment, --copyright, --location, --make, --model, --date or --chapter."
                )
            }
            let chapters = chapter.map(\.chapter).sorted { $0.start < $1.start }
            if let double = zip(chapters, chapters.dropFirst()).first(where: { $0.start == $1.start })?.0 {
                throw ValidationError(
                    "Two chapters begin at \(Words.clock(double.start)); give each a time of its own.")
            }
            try await onOwnThread("rushes-tag") {
                if (try? MovieInfo(readingMatroska: path)) ?? nil != nil { throw Self.matroska(path) }
                try MovieEditing.setMetadata(metadata, chapters: chapters.isEmpty ? nil : chapters, ofMovieAt: path)
            }
            StandardStreams.printNote("\(path.wireText): \(changes(chapters.count)).")
        }
    }

    /// In the words of Matroska's own: what would be changed has no room of its own there, and what follows would have to move.
    private static func matroska(_ path: FilePath) -> RushesError {
        RushesError(
            .badInput, on: path.string,
            "\(path.wireText) is Matroska, whose segment title, Tags and Chapters are not changed in place here; use mkvpropedit (Debian's "
                + "mkvtoolnix), or copy it to .mov or .mp4 with rushes transcode --preset copy and tag that.")
    }

    /// "wrote the title and 2 chapters; removed the comment".
    private func changes(_ chapters: Int) -> String {
        let given: [(String?, String)] = [
            (tags.title, "title"), (tags.artist, "artist"), (tags.comment, "comment"), (tags.copyright, "copyright"),
            (tags.location, "location"), (tags.make, "make"), (tags.model, "model"), (tags.date, "date"),
        ]
        var written = given.compactMap { value, name in value.flatMap { $0.isEmpty ? nil : "the \(name)" } }
        if chapters > 0 { written.append(chapters == 1 ? "1 chapter" : "\(chapters) chapters") }
        let removed = given.compactMap { value, name in value == "" ? "the \(name)" : nil }
        return [("wrote", written), ("removed", removed)].filter { !$1.isEmpty }
            .map { "\($0) \($1.formatted(.list(type: .and).locale(Locale(identifier: "en_GB"))))" }.joined(
                separator: "; ")
    }
}

/// `1m30s=Slides`.
struct ChapterArgument: ExpressibleByArgument, Sendable {
    let chapter: MovieInfo.Chapter

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), let time = TimeSpan(String(argument[..<equals])) else {
            return nil
        }
        let title = String(argument[argument.index(after: equals)...])
        guard !title.isEmpty else { return nil }
        chapter = MovieInfo.Chapter(start: time.time, title: title)
    }
}
