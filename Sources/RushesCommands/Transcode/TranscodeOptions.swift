import ArgumentParser
import Rushes

/// The part of the input that is taken.
struct PartOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where to begin, to the frame: 90, 1.5s, 2m or 00:01:30.5; -30s for the last 30 seconds.", valueName: "time"
        ))
    var start: SignedTimeSpan?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where to end, in the input's time; -10s leaves its last 10 seconds out.", valueName: "time"))
    var end: SignedTimeSpan?

    @Option(help: ArgumentHelp("How much to take, instead of an end.", valueName: "time"))
    var duration: TimeSpan?

    func validate() throws {
        if end != nil, duration != nil {
            throw ValidationError("--end and --duration cannot be used together; give one.")
        }
        if duration?.duration == .zero { throw ValidationError("--duration is zero; nothing would be left.") }
        if let start, let end, end.isNegative == start.isNegative, end.duration <= start.duration {
            throw ValidationError("--end lies before --start; nothing would be left.")
        }
        if end?.duration == .zero { throw ValidationError("--end is zero; nothing would be left.") }
    }

    var range: TimeRange? {
        guard start != nil || end != nil || duration != nil else { return nil }
        let begin = start?.time ?? .zero
        let last = duration.map { begin + $0.time } ?? end?.time
        // So long behind a beginning that counts from the end, the movie is over.
        let isOver = duration != nil && begin < .zero && last ?? .zero >= .zero
        return TimeRange(start: begin, end: isOver ? nil : last)
    }
}

/// What is taken of the input, and how it is shown.
struct ConversionOptions: ParsableArguments {
    @OptionGroup var part: PartOptions

    @Option(
        name: .customLong("part"), parsing: .singleValue,
        help: ArgumentHelp(
            "A part of the input, such as 10s-1m30s or 5m- for the rest, or chapters, such as chapters:2,4-5; several are joined in their order, with --preset copy without encoding.",
            valueName: "time-time|chapters"))
    var parts: [PartArgument] = []

    func validate() throws {
        if !parts.isEmpty, part.range != nil {
            throw ValidationError("--part excludes --start, --end and --duration; name the part with one of them.")
        }
        if let empty = parts.first(where: { $0.range.map { $0.end ?? .longest <= $0.start } ?? false }) {
            throw ValidationError("--part \(empty.text) does not end behind its beginning; nothing would be left.")
        }
    }

    /// Looks at parts that are joined.
    func checkJoined() throws {
        if let open = parts.dropLast().first(where: { $0.range != nil && $0.range?.end == nil }) {
            throw ValidationError("--part \(open.text) has no end, and another follows; give it one.")
        }
    }

    /// The parts of several files have the same times.
    func checkBatch() throws {
        try checkJoined()
        if let chapters = parts.first(where: { $0.range == nil }) {
            throw ValidationError("--part \(chapters.text) is for one file; name that with --output.")
        }
    }

    @Option(
        help: ArgumentHelp(
            "The part of the frame to take, before it is rotated, such as 640x360+0+60; auto finds black bars and cuts them off.",
            valueName: "auto|WxH+X+Y"))
    var crop: CropArgument?

    @Option(
        help: ArgumentHelp(
            "Scales the video: 720p makes its shorter side 720 pixels, at most; 1280x and x720 set its width or height as it is shown; 1280x720 sets both. What is shown keeps its proportions.",
            valueName: "720p|1280x|x720|WxH"))
    var size: ScaleArgument?

    @Option(help: ArgumentHelp("Makes the rate constant: 30, 29.97 or 30000/1001.", valueName: "rate"))
    var rate: FrameRateArgument?

    @Option(
        help: ArgumentHelp(
            "How many times as fast it plays, from 0.1x to 10x. Audio keeps its pitch; slower, all frames are shown, and faster, as many a second as before.",
            valueName: "factor"))
    var speed: SpeedArgument?

    @Option(
        help: ArgumentHelp(
            "Whether players rotate the video as before, or its pixels are turned.", valueName: "turn"))
    var rotation: ExportSettings.RotationHandling = .keep

    @Option(
        help: ArgumentHelp(
            "Which frames are deinterlaced; auto: those that the input marks as interlaced, but not for ProRes.",
            valueName: "when"))
    var deinterlace: DeinterlaceArgument = .auto

    @Option(
        help: ArgumentHelp("Applies a .cube look-up table to the colors of all frames.", valueName: "file.cube"),
        completion: .file(extensions: ["cube"]), transform: localPath)
    var lut: String?

    @Option(
        help: ArgumentHelp(
            "Makes a movie of audio and this image, which is fitted into 1920x1080, or --size, and shown to the end.",
            valueName: "file"),
        completion: .file(), transform: localPath)
    var image: String?

    @Option(
        help: ArgumentHelp(
            "Filters of libavfilter for the upright frames, before all else here, as ffmpeg's -vf takes them: hqdn3d,unsharp.",
            valueName: "filters"), transform: nonEmpty)
    var videoFilter: String?
}

/// The parts of the input as files of their own.
struct SeparationOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Make a file of each --part, cut-1.mp4, cut-2.mp4 and so on for --output cut.mp4; chapters are named after their titles, too."
        ))
    var separate = false

    @Option(
        help: ArgumentHelp(
            "Make files of this length of all of the input, such as 10m; with --preset copy they begin with a key frame.",
            valueName: "duration"))
    var splitEvery: TimeSpan?

    func validate() throws {
        if splitEvery?.duration == .zero { throw ValidationError("--split-every is a time above zero, such as 10m.") }
    }

    /// Whether more than one file comes of the input.
    var isWanted: Bool { separate || splitEvery != nil }
    /// What a person typed.
    var option: String { splitEvery == nil ? "--separate" : "--split-every" }
}

/// How video and audio are encoded, where the preset is not to decide.
struct ReencodingOptions: ParsableArguments {
    @OptionGroup var encoder: EncoderOptions

    @Option(
        help: ArgumentHelp(
            "The size of the whole file, such as 25M; HEVC, H.264 and VP9 in two passes.", valueName: "size"))
    var targetSize: ByteCount?

    @Option(
        help: ArgumentHelp(
            "How similar to the input it has to be: vmaf:95 or ssim:0.985. Finds the quality on samples, with ffmpeg.",
            valueName: "score"))
    var targetQuality: TargetQuality?

    @Option(
        help: ArgumentHelp(
            "Color samples: 4:2:0 if left out, which all players read; keep is the input's.", valueName: "samples"))
    var chroma: ExportSettings.Chroma?

    @Option(
        help: ArgumentHelp(
            "How the audio is written; copy leaves it as it is.", valueName: "codec"))
    var audio: AudioArgument?

    @Option(
        help: ArgumentHelp(
            "Bits a second of each audio track, such as 128k, of AAC, Opus and MP3 (the nearest that it has).",
            valueName: "rate"))
    var audioBitrate: BitRate?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Loudness of the audio as a whole (EBU R 128), from -70 to -5; measured first.",
            valueName: "LUFS"))
    var loudness: Double?

    @Option(
        help: ArgumentHelp(
            "Filters of libavfilter for each audio track, as ffmpeg's -af takes them: volume=6dB,afade=d=2.",
            valueName: "filters"),
        transform: nonEmpty)
    var audioFilter: String?

    @Option(
        help: ArgumentHelp("Samples a second of each audio track, such as 44100 or 48k.", valueName: "rate"))
    var sampleRate: SampleRateArgument?

    @Option(help: ArgumentHelp("Bits of a sample of pcm, flac and alac: 16 or 24.", valueName: "bits"))
    var audioBitDepth: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Presents the audio that much later, such as 200ms; below zero, such as -0.2s, earlier.", valueName: "time")
    )
    var audioDelay: SignedTimeSpan?

    @Option(help: ArgumentHelp("Mixes each audio track to that many channels.", valueName: "n"))
    var channels: Int?

    @Flag(help: "Also encode what fits the preset already.") var reencode = false

    func validate() throws {
        if targetQuality != nil, encoder.quality != nil || encoder.bitrate != nil || targetSize != nil {
            throw ValidationError(
                "--target-quality excludes --quality, --bitrate and --target-size; give one.")
        }
        if let loudness, !ExportSettings.loudnessRange.contains(loudness) {
            throw ValidationError("--loudness is a number of LUFS from -70 to -5, such as -16.")
        }
        if let channels, !ExportSettings.channelRange.contains(channels) {
            throw ValidationError("--channels is a number from 1 to 8.")
        }
    }
}
