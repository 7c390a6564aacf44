import ArgumentParser
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
            What is given replaces what the movie says; the rest stays.

            EXAMPLES
              rushes tag take.mov --title "Day one" --location +48.8577+002.295/
              rushes tag talk.mp4 --chapter 0=Welcome --chapter 1m30s=Slides
            """)

    @Argument(help: "The movie.", completion: .file(extensions: ["mov", "mp4"])) var file: String
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
                    "There is nothing to write; give --title, --location, --make, --model, --date or --chapter.")
            }
            let chapters = chapter.map(\.chapter).sorted { $0.start < $1.start }
            if let double = zip(chapters, chapters.dropFirst()).first(where: { $0.start == $1.start })?.0 {
                throw ValidationError(
                    "Two chapters begin at \(Words.clock(double.start.seconds)); give each a time of its own.")
            }
            try await onOwnThread("rushes-tag") {
                try MovieEditing.setMetadata(metadata, chapters: chapters.isEmpty ? nil : chapters, ofMovieAt: path)
            }
        }
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
        chapter = MovieInfo.Chapter(start: MediaTime(seconds: time.seconds), title: title)
    }
}
