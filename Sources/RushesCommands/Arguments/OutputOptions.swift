import ArgumentParser
import LiveActivity
import Rushes
import SystemPackage

/// What the command tells, and how.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print the events as JSON, one a line, on standard output.") var json = false
    @Option(
        help: ArgumentHelp(
            "How progress is shown on standard error; auto is a bar on a terminal, else plain lines.",
            valueName: "style")) var progress: ProgressStyle = .auto
    @Flag(help: "Also print GStreamer's own error messages.") var verbose = false
}

/// What becomes of a movie when it is written.
struct FinishingOptions: ParsableArguments {
    @Flag(help: "Decode every frame of the output before it gets its name.") var verify = false
    @Flag(help: "Put the index in front, for players that read over a network.") var fastStart = false
    @Flag(help: "Replace the file if it exists; the old one stays until the new one is complete.") var overwrite = false

    /// What is done to a whole file when it is written.
    var forFiles: [String] { [("--verify", verify), ("--fast-start", fastStart)].filter(\.1).map(\.0) }

    func apply(to settings: inout ExportSettings) {
        settings.verification = verify ? .full : .quick
        settings.fastStart = fastStart
    }

    func destination(_ path: String) -> MovieDestination {
        MovieDestination(FilePath(typed: path), replacesExisting: overwrite)
    }
}

/// What is written into the movie about itself.
struct TagOptions: ParsableArguments {
    @Option(help: "The movie's title.") var title: String?
    @Option(help: "Who made the video or audio.") var artist: String?
    @Option(help: "What it is a part of, such as a series.") var album: String?
    @Option(help: "What kind it is, such as Documentary.") var genre: String?
    @Option(help: "What it shows.") var description: String?
    @Option(help: "A remark.") var comment: String?
    @Option(help: ArgumentHelp("Who owns it, such as 2026 Ann Lee.", valueName: "text")) var copyright: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where it was made, by ISO 6709, such as +48.8577+002.295/.", valueName: "iso6709"))
    var location: String?
    @Option(help: "Who made the camera.") var make: String?
    @Option(help: "Which camera it was.") var model: String?
    @Option(
        help: ArgumentHelp(
            "When it was made, by ISO 8601, such as 2026-11-21T14:03:22+01:00; without a zone, in this machine's.",
            valueName: "date"))
    var date: String?
}
