import ArgumentParser
import Export

extension TrackSelection: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

/// Which of the input's tracks are taken.
struct TrackOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The audio to take, by number (1 is the first) or language (de, deu), with commas between several; all if left out.",
            valueName: "n|language|all|none"))
    var audioTrack: [TrackSelection] = []

    @Option(help: ArgumentHelp("The subtitles to take, likewise.", valueName: "n|language|all|none"))
    var subtitleTrack: [TrackSelection] = []

    func validate() throws {
        for (option, values) in [("--audio-track", audioTrack), ("--subtitle-track", subtitleTrack)]
        where !values.isEmpty && Self.joined(values) == nil {
            throw ValidationError("\(option) all and none go with nothing else; give one.")
        }
    }

    func apply(to settings: inout ExportSettings) {
        (settings.audioTracks, settings.subtitleTracks) = (Self.joined(audioTrack), Self.joined(subtitleTrack))
    }

    /// nil where there is none, and where they do not go together.
    private static func joined(_ values: [TrackSelection]) -> TrackSelection? {
        values.dropFirst().reduce(values.first) { $0?.adding($1) }
    }
}
