import ArgumentParser
import Export
import SystemPackage

extension TrackSelection: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension SubtitleChoice: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) { FilePath(typed: $0) } }
}

extension AddedSubtitles: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) { FilePath(typed: $0) } }
}

extension AddedAudio: ExpressibleByArgument {
    public init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        self.init(argument) { FilePath(typed: $0) }
    }
}

/// Which of the input's tracks are taken.
struct TrackOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The audio to take, by number (1 is the first) or language (de, deu), with commas between several; all if left out.",
            valueName: "n|language|all|none"))
    var audioTrack: [TrackSelection] = []

    @Option(
        help: ArgumentHelp(
            "The subtitles to take, by number or language as audio; all if left out.", valueName: "n|language|all|none")
    )
    var subtitleTrack: [TrackSelection] = []

    @Option(
        help: ArgumentHelp(
            "Draws subtitles into the frames: a track of the input, or a .srt, .vtt, .ass or .sup file.",
            valueName: "n|language|file"),
        completion: .file())
    var burnSubtitles: SubtitleChoice?

    @Option(
        help: ArgumentHelp(
            "Adds a .srt, .vtt, .ass or .sup file as subtitles; its name says the language, film.en.srt, or a colon, film.srt:en. auto: those that lie beside film.mkv as film.srt or film.en.srt, also of several inputs.",
            valueName: "file[:language]|auto"),
        completion: .file())
    var addSubtitles: [AddedSubtitles] = []

    @Option(
        help: ArgumentHelp(
            "Adds the first audio track of another file, as long as the movie; with --audio-track none it replaces the input's. The language is named as of subtitles.",
            valueName: "file[:language]"),
        completion: .file())
    var addAudio: [AddedAudio] = []

    @Flag(
        help:
            "Leave out what the input says of itself: date, place, camera, titles and all other tags, its cover, attachments but fonts, and data such as GPS tracks. Chapters, languages and subtitles stay."
    )
    var stripMetadata = false

    func validate() throws {
        for (option, values) in [("--audio-track", audioTrack), ("--subtitle-track", subtitleTrack)]
        where !values.isEmpty && Self.joined(values) == nil {
            throw ValidationError("\(option) all and none cannot be combined with others; give one.")
        }
    }

    func apply(to settings: inout ExportSettings) {
        settings.burntSubtitles = burnSubtitles
        settings.addedSubtitles = addSubtitles.isEmpty ? nil : addSubtitles
        settings.addedAudio = addAudio.isEmpty ? nil : addAudio
        settings.stripsMetadata = stripMetadata ? true : nil
        (settings.audioTracks, settings.subtitleTracks) = (Self.joined(audioTrack), Self.joined(subtitleTrack))
    }

    /// nil where there is none, and where they do not go together.
    private static func joined(_ values: [TrackSelection]) -> TrackSelection? {
        values.dropFirst().reduce(values.first) { $0?.adding($1) }
    }
}
