import ArgumentParser
import Export
package import Photos
import Rushes

/// How fast a timelapse is.
struct TimelapsePaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How many times as fast as the video it is, such as 60x; of photos, how many for one frame.",
            valueName: "factor"))
    var speed: SpeedArgument?

    @Option(help: ArgumentHelp("How long it is to be, such as 30s; instead of a speed.", valueName: "duration"))
    var length: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "Speeds of a video, eased between these of its moments, such as 20x,200x@5m,20x@10m; instead of one speed.",
            valueName: "speed@time"))
    var ramp: RampArgument?

    @Flag(help: "Keeps photos as far apart as they were taken, at the speed or length that is given.")
    var keepTime = false

    @Option(
        help: ArgumentHelp("Frames or photos a second, such as 25 or 24000/1001; 30 if left out.", valueName: "rate"))
    var rate: FrameRateArgument?

    func validate() throws {
        let given = [("--speed", speed != nil), ("--length", length != nil), ("--ramp", ramp != nil)].filter(\.1)
        if given.count > 1 {
            throw ValidationError("\(given[0].0) and \(given[1].0) cannot be used together; give one.")
        }
        if let speed, speed.factor < 1, !keepTime {
            throw ValidationError(
                "--speed is 1 or more; a timelapse is as fast as what it is made of, or faster. 'rushes transcode --speed' makes slow motion."
            )
        }
        if length?.duration == .zero { throw ValidationError("--length is zero; nothing would be left.") }
    }

    /// Whether every frame is to be shown when it is: for what is done to their light alone.
    var isAsItIs: Bool { speed?.factor == 1 && !keepTime }

    /// Those that no camera has.
    var forFiles: [String] {
        [("--ramp", ramp != nil), ("--keep-time", keepTime)].filter(\.1).map(\.0)
    }

    /// nil where neither is given.
    var pace: Timelapse.Pace? {
        speed.map { .speed($0.factor) } ?? length.map { .length($0.time) }
            ?? ramp.map { .ramp($0.points) }
    }
}

/// How the frames of a timelapse are encoded.
struct TimelapseEncodingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("As for transcode, whose --preset help lists them; hevc if left out.", valueName: "name"),
        transform: PresetList.name)
    var preset: String?

    @OptionGroup var encoder: EncoderOptions

    @Option(help: ArgumentHelp("Scales the video, to 1920x1080 say.", valueName: "WxH"))
    var size: VideoSize?

    func validate() throws { try encoder.refuseCopy(preset: preset ?? Self.usual, "A timelapse") }

    private static let usual = "hevc"

    var settings: ExportSettings {
        var settings = ExportSettings(preset: preset ?? Self.usual)
        encoder.apply(to: &settings)
        settings.size = size
        return settings
    }
}

/// What a timelapse is made of.
struct TimelapseSourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The video that it is made of.", valueName: "file"), completion: .file(),
        transform: localPath
    )
    var fromVideo: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Photos, folders of them, or patterns such as 'day/*.jpg'.", valueName: "path"),
        completion: .file(), transform: localPath)
    var fromImages: [String] = []

    @Flag(help: "Show each moment of a video to the frame, and not by a key frame near it.") var exact = false

    @Option(
        help: ArgumentHelp(
            "Cuts the edges off photos of another shape, or puts black beside them; crop if left out.", valueName: "how"
        ))
    var fit: PhotoFit?

    @Flag(help: "Keeps the audio of a video, as fast as its frames and with its own pitch; up to 4x.")
    var audio = false

    @Flag(
        help:
            "Waits for the photos that come to the folder, each until it is complete; makes the timelapse at Ctrl-C, or after --duration, --count or --idle."
    )
    var watch = false

    @Option(help: ArgumentHelp("With --watch: makes it of that many photos.", valueName: "photos"))
    var count: Int?

    @Option(
        help: ArgumentHelp(
            "With --watch: makes it when no photo has come for so long, such as 10m.", valueName: "duration"))
    var idle: TimeSpan?

    @Flag(help: "Evens out the light of frames whose exposures differ; a sunrise stays one.") var deflicker = false

    @Flag(help: "Leaves out frames whose light stands out from their neighbors': a flash, a car's lights.")
    var dropFlashes = false

    @Option(
        help: ArgumentHelp(
            "Looks at the light of this part of the frames only.", valueName: "x=%,y=%,width=%,height=%"))
    var deflickerRegion: FrameRegionArgument?

    /// Whether a file was named.
    var isGiven: Bool { fromVideo != nil || !fromImages.isEmpty }

    /// What is done about light, which no camera has.
    var givenLight: [String] {
        [
            ("--deflicker", deflicker), ("--drop-flashes", dropFlashes), ("--deflicker-region", deflickerRegion != nil),
        ].filter(\.1).map(\.0)
    }

    var light: TimelapseLight {
        var light = TimelapseLight()
        (light.deflickers, light.dropsFlashes, light.region) = (deflicker, dropFlashes, deflickerRegion?.area)
        return light
    }

    func validate() throws {
        if fromVideo != nil, !fromImages.isEmpty {
            throw ValidationError("--from-video and --from-images cannot be used together; give one.")
        }
        if exact, fromVideo == nil { throw ValidationError("--exact is for videos; leave it out.") }
        if deflickerRegion != nil, !deflicker, !dropFlashes {
            throw ValidationError("--deflicker-region goes with --deflicker or --drop-flashes; give one of them too.")
        }
        if audio, fromVideo == nil { throw ValidationError("--audio is for videos; leave it out.") }
        if watch, fromImages.count != 1 {
            throw ValidationError("--watch waits for the photos of one folder; give one with --from-images.")
        }
        if !watch, count != nil || idle != nil {
            throw ValidationError("\(count != nil ? "--count" : "--idle") goes with --watch; give that too.")
        }
        if let count, count < 2 {
            throw ValidationError("--count is 2 or more; a timelapse is made of several photos.")
        }
        if let idle, idle.duration < .seconds(1) { throw ValidationError("--idle is a second or more.") }
        if fit != nil, fromVideo != nil { throw ValidationError("--fit is for photos; leave it out.") }
    }
}

extension PhotoFit: ExpressibleByArgument {}
