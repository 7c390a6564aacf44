import ArgumentParser
import Export
import Imaging
import Rushes
import SystemPackage

/// `rushes compose`: several finished movies in one frame.
struct ComposeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compose",
        abstract: "Draw movies into another one: picture-in-picture of what was recorded apart.",
        discussion: """
            The frames of the insets are drawn into the main movie's, as 'rushes record --inset' draws cameras'. Length, frame \
            rate, chapters and, unless said otherwise, audio are the main movie's. Each is turned as players turn it.

            When an inset begins is found by the movies' time codes, else by their dates, else they begin together; a line \
            says how. --align audio listens to both and finds it to the frame, and how far one clock runs away from the other.

            --from-project composes what 'rushes record --also-separate' has left again, from the cameras' own movies: with the \
            layouts of then, or with others.

            With --output-directory several are composed, some at a time, as 'rushes transcode' exports several; --resume goes \
            on with those that were stopped.

            The output gets its name when it is complete and checked. Until then it has none, so nothing is left of a \
            composition that fails or is killed.

            EXAMPLES
              rushes compose talk.mov --main slides.mov --inset face.mov
              rushes compose talk.mov --main slides.mov --inset face.mov --layout top-left,radius=24 --align audio
              rushes compose talk.mp4 --main slides.mov --inset face.mov --layout main-only --layout bottom-right@10s
              rushes compose new.mov --from-project talk.otio --layout side-by-side
              rushes compose --from-project talks/*.otio --output-directory composed
              rushes compose --main slides --inset faces --output-directory composed --align audio

            EXIT STATUS
              0    done
              1    could not start, or failed; nothing is left
              64   wrong usage, named before a file is created
              130  cancelled; nothing is left
            """)

    @Argument(
        help: ArgumentHelp(
            "The movie to write; its ending chooses the container: .mov, .mp4, .mkv or .webm.", valueName: "file"),
        completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("The movie that fills the frame.", valueName: "file"), completion: .file())
    var main: String?

    @Option(
        help: ArgumentHelp("A movie that is drawn into it; up to three times.", valueName: "file"), completion: .file())
    var inset: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "A project beside a recording's movies, whose cameras are composed again; with --output-directory several.",
            valueName: "file.otio"),
        completion: .file())
    var fromProject: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Where the movies stand: bottom-right if left out; such as top-left,size=30%,radius=24, side-by-side; help draws \
            them. With @TIME from then on; may be given several times.
            """, valueName: "layout"))
    var layout: [String] = []

    @Option(
        help: ArgumentHelp(
            "How long frames take to their places in another layout; half a second if left out.", valueName: "time"))
    var transition: TimeSpan?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "How the insets' beginning is found: auto, dates, timecode or audio; or when they begin, such as 1.5s or -250ms; auto if left out.",
            valueName: "how"))
    var align: AlignmentArgument?

    @Option(help: ArgumentHelp("Whose audio it has; inset is the first one's, both adds up all.", valueName: "movie"))
    var audioFrom: AudioOriginArgument = .main

    @Option(
        help: ArgumentHelp("How it is encoded; help lists all. Or the path of a .gep file.", valueName: "name"))
    var preset = "hevc"

    @OptionGroup(title: "Video") var conversion: ConversionOptions
    @OptionGroup(title: "Encoding") var encoding: ReencodingOptions
    @Option(
        help: ArgumentHelp(
            "The folder for several, made of projects, or of the movies in two folders that have the same name.",
            valueName: "folder"), completion: .directory)
    var outputDirectory: String?

    @Option(
        help: ArgumentHelp(
            "How many are composed at a time; as many as cores and memory allow if left out.", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Go on with several that were stopped or killed: what is done and unchanged is left as it is.")
    var resume = false

    @OptionGroup(title: "Output") var display: OutputOptions

    @Flag(help: "Decode every frame of the output before it gets its name.") var verify = false
    @Flag(help: "Put the index in front, for players that read over a network.") var fastStart = false
    @Flag(help: "Replace the file if it exists; the old one stays until the new one is complete.") var overwrite = false

    func run() async throws {
        try await reportingFailures(verbose: display.verbose) {
            if preset == "help" { return try PresetList.print() }
            if layout == [CompositionOptions.help] { return StandardStreams.printResult(LayoutDrawing.help()) }
            if let outputDirectory {
                guard output == nil else {
                    throw ValidationError("One movie is named, or a folder with --output-directory; leave one out.")
                }
                return try await batchRun(into: FilePath(typed: outputDirectory)).run()
            }
            guard !resume, jobs == nil else {
                throw ValidationError("--resume and --jobs are for several movies; name an --output-directory.")
            }
            guard let output = output ?? behindProjects else {
                throw ValidationError("There is no movie to write; name it.")
            }
            let (composition, settings) = (try single(), self.settings)
            let destination = MovieDestination(FilePath(typed: output), replacesExisting: overwrite)
            try await TranscodeRun(destination: destination, output: display) { thumbnail, onActivity in
                ExportSession(
                    composition, settings: settings, thumbnail: thumbnail, center: .shared, onActivity: onActivity)
            }.run()
        }
    }

    /// The movie that is named behind a project, as people type it.
    private var behindProjects: String? {
        fromProject.count > 1 ? fromProject.last.flatMap { $0.hasSuffix(".otio") ? nil : $0 } : nil
    }

    var settings: ExportSettings {
        var settings = ExportSettings(preset: preset, conversion, encoding)
        settings.verification = verify ? .full : .quick
        settings.fastStart = fastStart
        return settings
    }
}
