import ArgumentParser
import Rushes

/// How video and audio are encoded.
struct EncodingOptions: ParsableArguments {
    @Option(
        name: [.long, .short],
        help: ArgumentHelp(
            "How video is encoded: HEVC or H.264 if left out; copy is the camera's own compressed stream.",
            valueName: "codec"))
    var codec: VideoCodec?

    @Option(help: ArgumentHelp("Which kind of ProRes; hq if left out.", valueName: "profile"))
    var profile: ProResProfile?

    @Option(help: ArgumentHelp("Constant quality, from 0 to 100.", valueName: "0-100"))
    var quality: Int?

    @Option(help: ArgumentHelp("Bits a second for the video, such as 8M or 2500k.", valueName: "rate"))
    var bitrate: BitRate?

    @Option(
        help: ArgumentHelp(
            "The encoder's own speed, such as veryfast; 'rushes encoders' lists them. If left out, the slowest that this machine keeps up with, and a faster one as long as it does not.",
            valueName: "name"))
    var encoderSpeed: String?

    @Option(
        help: ArgumentHelp(
            "Bits per color, 8 or 10; 10 for ProRes and 8 for all else if left out. For audio alone, bits per sample: 16 or 24 in WAV, FLAC and ALAC, 24 if left out.",
            valueName: "bits"))
    var bitDepth: Int?

    /// Bits per color, as asked for or as the codec has them.
    var depth: Int { bitDepth ?? (codec == .prores || (codec == nil && profile != nil) ? 10 : 8) }

    @Option(
        help: ArgumentHelp(
            "How audio is encoded; chosen by the container and the video codec if left out.", valueName: "codec"))
    var audio: AudioCodec?

    @Option(
        help: ArgumentHelp(
            "Bits a second of each audio track, such as 128k, of AAC, Opus and MP3 (the nearest that it has).",
            valueName: "rate"))
    var audioBitrate: BitRate?

    func validate() throws {
        try EncodingRules.check(
            quality: quality, bitrate: bitrate, bitDepth: bitDepth == 16 || bitDepth == 24 ? nil : bitDepth,
            profile: profile, codec: codec)
        if codec == .copy, encoderSpeed != nil {
            throw ValidationError(
                "What is copied has no encoder; leave --encoder-speed out, or choose another --codec.")
        }
    }
}

/// How the microphone is treated.
struct AudioOptions: ParsableArguments {
    @Option(help: ArgumentHelp("From 1 (mono) to 6 (5.1); the microphone's own if left out.", valueName: "n"))
    var channels: Int?

    @Flag(help: "Mix several microphones into one track; the first one's alone is what most players play otherwise.")
    var mix = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Amplification of the microphones in decibels, such as 6 or -3.", valueName: "dB"))
    var gain = Decibels(0)

    @Flag(help: "Record silence.")
    var mute = false

    @Flag(help: "Show how loud the microphone is until you press Return, then record; without a file, only show it.")
    var meter = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Moves the audio later, by 40ms say; earlier with a minus, -40ms.", valueName: "duration"))
    var audioDelay: SignedTimeSpan?

    func validate() throws {
        if let channels, !(1...6).contains(channels) { throw ValidationError("--channels is a number from 1 to 6.") }
        if !MicrophoneArgument.gains.contains(gain.value) {
            throw ValidationError("--gain is a number of decibels from -60 to 40.")
        }
        if let delay = audioDelay?.duration, !MovieSettings.audioDelayRange.contains(delay) {
            throw ValidationError("--audio-delay is from -1s, one second earlier, to 10s.")
        }
    }
}

/// The form of the video and how players show it.
struct VideoOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The camera's frame size, such as 1920x1080 or 1080p.", valueName: "WxH"))
    var size: VideoSize?

    @Option(help: ArgumentHelp("Frames a second: 30, 29.97 or 30000/1001.", valueName: "rate"))
    var rate: FrameRateArgument?

    @Option(
        help: ArgumentHelp(
            "Degrees clockwise that players rotate the video: 0, 90, 180 or 270; auto: as the machine is held when the recording begins.",
            valueName: "degrees|auto"))
    var rotation: RotationArgument = .degrees(.none)

    @Option(
        help: ArgumentHelp(
            "Applies a .cube look-up table to the colors of all frames; each camera's own movie keeps its colors.",
            valueName: "file.cube"),
        completion: .file(extensions: ["cube"]), transform: localPath)
    var lut: String?

    @Flag(help: "Players show the video as in a mirror; mirrored first, then rotated.")
    var mirror = false
}

/// What ends the take by itself.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Stops recording after this time: 90, 1.5s, 2m, 1h30m or 00:01:30.", valueName: "duration"))
    var duration: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "Stops recording before the files get larger than this: 500M, 2G or 2GiB.", valueName: "size"))
    var maxSize: ByteCount?

    @Option(
        help: ArgumentHelp(
            "Stops recording before less than this is free on the disk, such as 2G, or 0 to fill it; 50M if left out.",
            valueName: "size"
        ))
    var minFree: FreeBytes?

    @Option(
        help: ArgumentHelp(
            "Continues in another file, take-002.mov and so on, without a gap: after this time, such as 10m, or size, such as 2G.",
            valueName: "duration|size"))
    var splitEvery: PartLength?

    @Option(
        help: ArgumentHelp(
            "With --split-every, deletes this recording's oldest files when all of them together are larger than this, such as 20G; with --trigger, those of all its movies. 'rushes control ID pin' keeps one.",
            valueName: "size"))
    var keep: ByteCount?

    @Option(
        help: ArgumentHelp(
            "What happens when a device is lost: hold continues without it until it is back, or, where nothing else is recorded, waits ten seconds; end ends the recording; switch, or switch:CAMERA, continues a lost camera with another one.",
            valueName: "hold|end|switch"))
    var onLoss: DeviceLossChoice = .hold

    func validate() throws {
        if let splitEvery, splitEvery.isTooShort {
            throw ValidationError("--split-every must be at least 1s, or 1M.")
        }
        if let keep {
            guard let splitEvery else { throw ValidationError("--keep deletes old files of --split-every; add that.") }
            if keep.bytes < 2 * RecordingLimits.smallestFile { throw ValidationError("--keep must be at least 2M.") }
            if let bytes = splitEvery.bytes, bytes > keep.bytes / 2 {
                throw ValidationError("--keep must hold at least two files of --split-every.")
            }
        }
        if let maxSize, maxSize.bytes < RecordingLimits.smallestFile {
            throw ValidationError("--max-size must be at least 1M.")
        }
        if let duration, duration.duration < RecordingLimits.shortestRecording {
            throw ValidationError("--duration is at least 40 milliseconds.")
        }
    }

    var limits: RecordingLimits {
        var limits = RecordingLimits(
            maxRecordedDuration: duration?.duration, maxRecordedFileSize: maxSize?.bytes,
            maxPartDuration: splitEvery?.duration, maxPartFileSize: splitEvery?.bytes,
            minFreeDiskSpaceLimit: minFree?.bytes ?? 50_000_000, endsOnDeviceLoss: onLoss == .end)
        limits.maxKeptFileSize = keep?.bytes
        if case .switchCamera = onLoss { limits.waitsForOtherCamera = true }
        return limits
    }
}

/// What becomes of a take whose device is lost.
enum DeviceLossChoice: Equatable, ExpressibleByArgument {
    case hold, end
    /// Another camera follows a lost one: as named, or any.
    case switchCamera(String?)

    init?(argument: String) {
        let words = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (words[0], words.dropFirst().first) {
        case ("hold", nil): self = .hold
        case ("end", nil): self = .end
        case ("switch", nil): self = .switchCamera(nil)
        case ("switch", let camera?) where !camera.isEmpty: self = .switchCamera(camera)
        default: return nil
        }
    }

    static let allValueStrings = ["hold", "end", "switch"]
}
