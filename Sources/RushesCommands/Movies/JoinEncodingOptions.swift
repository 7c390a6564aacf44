import ArgumentParser
import Encoding
import Export
import Rushes

/// How movies are encoded that are joined.
struct JoinEncodingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Encodes the movies as one, which need not be alike then; help lists all. Or the path of a .gep file.",
            valueName: "name"),
        transform: PresetList.name)
    var preset: String?

    @OptionGroup var encoder: EncoderOptions

    @Option(
        help: ArgumentHelp(
            "Scales the frames into 1280x720, say, with bars; the first movie's size if left out.", valueName: "WxH"))
    var size: VideoSize?

    @Option(help: ArgumentHelp("Makes the rate constant: 30, 29.97 or 30000/1001.", valueName: "rate"))
    var rate: FrameRateArgument?

    @Option(help: ArgumentHelp("How the audio is written; none leaves it out.", valueName: "codec"))
    var audio: AudioArgument?

    func validate() throws {
        guard let preset else { return }
        try encoder.refuseCopy(preset: preset, "What is joined with --preset")
        if audio?.setting == .copy {
            throw ValidationError(
                "The audio of movies that are joined with --preset is encoded; leave --audio copy out.")
        }
    }

    /// Those that say how movies are encoded, beside the preset.
    var given: [String] {
        let all: [(name: String, isGiven: Bool)] = [
            ("--codec", encoder.codec != nil), ("--profile", encoder.profile != nil),
            ("--quality", encoder.quality != nil), ("--bitrate", encoder.bitrate != nil),
            ("--encoder-speed", encoder.encoderSpeed != nil), ("--bit-depth", encoder.bitDepth != nil),
            ("--size", size != nil), ("--rate", rate != nil), ("--audio", audio != nil),
        ]
        return all.filter(\.isGiven).map(\.name)
    }

    /// Of audio alone, which no preset is needed for.
    var audioSettings: ExportSettings {
        var settings = ExportSettings(preset: TranscodeCommand.usualPreset)
        settings.audio = audio?.setting ?? .preset
        settings.reencodes = true
        return settings
    }

    /// `nil` where nothing is encoded.
    var settings: ExportSettings? {
        guard let preset else { return nil }
        var settings = ExportSettings(preset: preset)
        encoder.apply(to: &settings)
        (settings.size, settings.rate, settings.audio) = (size, rate?.fraction, audio?.setting ?? .preset)
        // None is as all of them are to be.
        settings.reencodes = true
        return settings
    }
}
