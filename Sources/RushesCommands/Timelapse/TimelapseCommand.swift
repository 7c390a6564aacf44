import ArgumentParser
import Export
import Rushes
import SystemPackage

/// `rushes timelapse`: a movie that is much faster than what it is made of.
struct TimelapseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timelapse",
        abstract: "Make a timelapse of a video.",
        discussion: """
            Of a video the key frames alone are read and decoded where there is one for nearly each frame of the timelapse, \
            so an hour takes seconds; where they lie farther apart, what lies between is decoded as far as it has to be. Each \
            frame is then at most half an interval from where it belongs. With --exact each is the first one from its \
            moment on, whatever that takes. The audio is left out.

            The output gets its name when it is complete and checked; until then it has none. The inputs are never changed.

            EXAMPLES
              rushes timelapse day.mov --from-video long.mp4 --speed 60x
              rushes timelapse day.mp4 --from-video long.mkv --length 30s --rate 25
              rushes timelapse day.mov --from-video long.mov --speed 120x --exact --preset prores-hq

            EXIT STATUS
              0    done
              1    could not start, or failed; nothing is left
              64   wrong usage, named before a file is created
              130  cancelled; nothing is left
            """)

    @Argument(
        help: ArgumentHelp(
            "The movie to write; its ending chooses the container: .mov, .mp4, .mkv or .webm.", valueName: "file"),
        completion: .file(extensions: ["mov", "mp4", "mkv", "webm"]))
    var file: String

    @Option(help: ArgumentHelp("The video that it is made of.", valueName: "file"), completion: .file())
    var fromVideo: String?

    @Flag(help: "Show each moment to the frame, and not by a key frame near it.") var exact = false

    @OptionGroup(title: "Speed") var pace: TimelapsePaceOptions
    @OptionGroup(title: "Encoding") var encoding: TimelapseEncodingOptions
    @OptionGroup(title: "Output") var display: OutputOptions

    @Flag(help: "Decode every frame of the output before it gets its name.") var verify = false
    @Flag(help: "Put the index in front, for players that read over a network.") var fastStart = false
    @Flag(help: "Replace the file if it exists; the old one stays until the new one is complete.") var overwrite = false

    func validate() throws {
        guard fromVideo != nil else {
            throw ValidationError("There is nothing to make a timelapse of; name a video with --from-video.")
        }
        guard pace.pace != nil else {
            throw ValidationError("How fast is it to be? Give --speed 60x, or --length 30s.")
        }
    }

    func run() async throws {
        try await reportingFailures(verbose: display.verbose) {
            guard let fromVideo, let pace = pace.pace else { return }
            var timelapse = VideoTimelapse(FilePath(typed: fromVideo), pace)
            timelapse.isExact = exact
            if let rate = self.pace.rate { timelapse.rate = rate.fraction }
            let settings = self.settings
            try await TranscodeRun(destination: destination, output: display) { [timelapse] thumbnail, onActivity in
                ExportSession(
                    timelapse, settings: settings, thumbnail: thumbnail, center: .shared, onActivity: onActivity)
            }.run()
        }
    }

    private var destination: MovieDestination { MovieDestination(FilePath(typed: file), replacesExisting: overwrite) }

    private var settings: ExportSettings {
        var settings = encoding.settings
        settings.verification = verify ? .full : .quick
        settings.fastStart = fastStart
        return settings
    }
}
