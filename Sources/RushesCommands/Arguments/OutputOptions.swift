import ArgumentParser
import LiveActivity

/// What the command tells, and how.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print the events as JSON, one a line, on standard output.") var json = false
    @Option(
        help: ArgumentHelp(
            "How progress is shown on standard error; auto is a bar on a terminal, else plain lines.",
            valueName: "style")) var progress: ProgressStyle = .auto
    @Flag(help: "Print GStreamer's own words on errors too.") var verbose = false
}
