import ArgumentParser
import Export
import Imaging
import Rushes
import SystemPackage

/// `rushes compose`: several finished movies in one frame.
struct ComposeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compose",
        abstract: "Draw movies into another one: picture-in-picture of separate recordings.",
        discussion: """
            The frames of the insets are drawn into the main movie's, as 'rushes record --inset' draws cameras'. Length, frame \
            rate, chapters and, unless said otherwise, audio are the main movie's. Each is turned as players turn it.

            When an inset begins is found by the movies' time codes, else by their dates, else they begin together; a line \
            says how. --align audio listens to both and finds it to the frame, and how far their clocks drift apart.

            --from-project composes again what 'rushes record --also-separate' has left, from the cameras' own movies: with the \
            layouts of then, or with others.

            With --output-directory several are composed, a few at a time, as 'rushes transcode' exports several; --resume \
            continues those that were stopped.

            The output gets its name when it is complete and checked. Until then it has none, so nothing is left of a \
            composition that fails or is killed.

            EXAMPLES
              rushes compose talk.mov --main slides.mov --inset face.mov
              rushes compose talk.mov --main slides.mov --inset face.mov --align audio
              rushes compose a.mp4 --main b.mov --inset c.mov --layout main-only@10s
              rushes compose new.mov --from-project talk.otio --layout side-by-side
              rushes compose --from-project talks/*.otio --output-directory composed
              rushes compose --main slides --inset faces --output-directory composed

            EXIT STATUS
              0    done
              1    could not start, or failed; nothing is left
              64   wrong usage, named before a file is created
              130  cancelled; nothing is left
            """)

    @Argument(
        help: ArgumentHelp(
            "The movie to write; its ending chooses the container: .mov, .mp4, .mkv or .webm.", valueName: "file"),
        completion: .file(extensions: ["mov", "mp4", "mkv", "webm"]), transform: localPath)
    var output: String?

    @OptionGroup(title: "Movies") var movies: ComposeMovieOptions
    @OptionGroup(title: "Encoding") var encoding: ComposeEncodingOptions
    @OptionGroup(title: "Several movies") var folder: BatchFolderOptions
    @OptionGroup(title: "Output") var display: OutputOptions

    @OptionGroup(title: "Output") var finishing: FinishingOptions
    @Flag(help: "Print the GStreamer pipeline and exit.") var printPipeline = false

    @OptionGroup(title: "Output") var place: OutputFileOption

    mutating func validate() throws { output = try place.file(or: output) }

    func run() async throws {
        try await reportingFailures(verbose: display.verbose) {
            if encoding.preset == "help" { return try PresetList.print() }
            if movies.layout == [CompositionOptions.help] { return StandardStreams.printResult(LayoutDrawing.help()) }
            if let outputDirectory = folder.outputDirectory {
                guard output == nil else {
                    throw ValidationError("One movie is named, or a folder with --output-directory; leave one out.")
                }
                guard !printPipeline else {
                    throw ValidationError("--print-pipeline is for one movie; leave --output-directory out.")
                }
                return try await batchRun(into: FilePath(typed: outputDirectory)).run()
            }
            guard let output = output ?? movies.outputBehindProjects else {
                throw ValidationError("There is no movie to write; name it.")
            }
            let destination = finishing.destination(output)
            var settings = settings
            if encoding.preset == nil, destination.path.isGIF { settings.preset = TranscodeCommand.animationPreset }
            let (composition, chosen) = (try movies.single(isLastOutput: self.output == nil), settings)
            if printPipeline {
                let text = try await ExportSession.pipeline(
                    composing: composition, settings: chosen, destination: destination)
                return StandardStreams.printResult(text)
            }
            try await TranscodeRun(destination: destination, output: display) { thumbnail, onActivity in
                ExportSession(
                    composition, settings: chosen, thumbnail: thumbnail, center: .shared, onActivity: onActivity)
            }.run()
        }
    }

    var settings: ExportSettings {
        var settings = encoding.settings
        settings.range = movies.part.range
        finishing.apply(to: &settings)
        return settings
    }

    /// Several, into a folder.
    private func batchRun(into folder: FilePath) throws -> BatchRun {
        BatchRun(
            plan: try plan(into: folder), jobs: self.folder.jobs, minFree: self.folder.minFree?.bytes,
            isResuming: self.folder.resume, output: display)
    }

    private func plan(into folder: FilePath) throws -> BatchPlan {
        var settings = self.settings
        settings.composition = try movies.composition
        if self.folder.resume, movies.main == nil, movies.inset.isEmpty, movies.fromProject.isEmpty {
            var usual = ExportSettings(preset: TranscodeCommand.usualPreset)
            usual.composition = CompositionSettings()
            return try BatchFolderOptions.kept(
                in: folder, settings, usual: usual, preset: encoding.preset, overwrites: finishing.overwrite)
        }
        return try BatchPlan(
            composing: movies.works(), outputs: folder, settings: settings, replacesExisting: finishing.overwrite)
    }
}
