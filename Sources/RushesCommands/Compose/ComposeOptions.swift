import ArgumentParser
import Rushes

/// Which movies are composed, and how.
struct ComposeMovieOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The movie that fills the frame.", valueName: "file"), completion: .file(),
        transform: localPath)
    var main: String?

    @Option(
        help: ArgumentHelp("A movie that is drawn into it; up to three times.", valueName: "file"), completion: .file(),
        transform: localPath)
    var inset: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "A project beside a recording's movies, whose cameras are composed again; with --output-directory several.",
            valueName: "file.otio"),
        completion: .file(), transform: localPath)
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
            "How long frames take to move to another layout; half a second if left out.", valueName: "time"))
    var transition: TimeSpan?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "How the insets' start is found: auto, dates, timecode or audio; or when they begin, such as 1.5s or -250ms; auto if left out.",
            valueName: "how"))
    var align: AlignmentArgument?

    @Option(help: ArgumentHelp("Whose audio it has; inset is the first inset's, both mixes all.", valueName: "movie"))
    var audioFrom: AudioOriginArgument = .main

    @OptionGroup var part: PartOptions

    /// The movie that is named behind a project, as people type it.
    var outputBehindProjects: String? {
        fromProject.count > 1 ? fromProject.last.flatMap { $0.hasSuffix(".otio") ? nil : $0 } : nil
    }
}

/// How the composed movie is encoded.
struct ComposeEncodingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How it is encoded, hevc if left out; help lists all. Or the path of a .gep file.", valueName: "name"),
        transform: PresetList.name)
    var preset: String?

    @OptionGroup var encoder: EncoderOptions

    @Option(
        help: ArgumentHelp(
            "Scales the composed video, to 1280x720 say; what is shown keeps its proportions.", valueName: "WxH"))
    var size: VideoSize?

    @Option(help: ArgumentHelp("Makes the rate constant: 30, 29.97 or 30000/1001.", valueName: "rate"))
    var rate: FrameRateArgument?

    @Option(help: ArgumentHelp("How the audio is written; copy leaves it as it is.", valueName: "codec"))
    var audio: AudioArgument?

    func validate() throws { try encoder.refuseCopy(preset: preset ?? TranscodeCommand.usualPreset, "A composition") }

    var settings: ExportSettings {
        var settings = ExportSettings(preset: preset ?? TranscodeCommand.usualPreset)
        encoder.apply(to: &settings)
        (settings.size, settings.rate, settings.audio) = (size, rate?.fraction, audio?.setting ?? .preset)
        return settings
    }
}
