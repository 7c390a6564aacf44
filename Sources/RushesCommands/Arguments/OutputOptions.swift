import ArgumentParser
import LiveActivity

/// What the command tells, and how.
struct OutputOptions: ParsableArguments {
    @Flag(help: "One JSON object a line on standard output.") var json = false
    @Option(help: ArgumentHelp("auto, bar, plain or none.", valueName: "style")) var progress: ProgressStyle = .auto
    @Flag(help: "More words on what happens, and GStreamer's own on errors.") var verbose = false
}
