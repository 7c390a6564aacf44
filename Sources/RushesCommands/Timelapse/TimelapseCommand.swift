import ArgumentParser
import Capture
import Export
import Photos
import Rushes
import SystemPackage

/// `rushes timelapse`: a movie that is much faster than what it is made of.
struct TimelapseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timelapse",
        abstract: "Make a timelapse with a camera, or from a video or photos.",
        discussion: """
            With --every a camera takes a shot at that interval, for hours or weeks: on a grid of the wall clock, which a late shot \
            never shifts. Frames that are not taken are dropped before they are decoded. Each shot is on the disk as soon as it is \
            taken, so a kill or a power cut costs the one that is under way, and --resume continues the same .mov or .mp4. A \
            camera that is lost is opened again; a line says what it missed.

            Of a video the key frames alone are read and decoded where there is one for nearly each frame of the timelapse, \
            so an hour takes seconds; where they lie farther apart, what lies between is decoded as far as it has to be. Each \
            frame is then at most half an interval from where it belongs. With --exact each is the first one from its \
            moment on, whatever that takes. The audio is left out; with --audio it is as fast as the frames and keeps its pitch, up to 4x.

            Photos are taken in the order in which they were shot, by the camera's clock where all tell it, in UTC where all \
            tell their time zone, else by their names, numbers in them taken as numbers. Each is turned as the camera says. The movie is as large as most of \
            them, at most 4K, unless --size says otherwise. Photos that are damaged are named and skipped. JPEG, PNG, WebP, \
            TIFF, DPX, OpenEXR, and where libheif and LibRaw are installed HEIC, AVIF, DNG and the raw files of cameras are read; raw ones as the \
            camera's own JPEG in them where that is large enough, else at half their size.

            With --watch the photos of a folder are waited for, each until it is complete, and the timelapse is made of all that have come: \
            at Ctrl-C, after --duration, at --count photos, or when none has come for --idle.

            --deflicker and --drop-flashes look at all frames first, scaled down, and take that much longer. Of a video the frames that \
            will be shown are decoded twice. What a camera has shot is evened out afterwards: --from-video with --speed 1x. What is left out is counted, and what follows moves up; \
            with --audio the frame before is shown instead.

            --blend makes frames of several, which smooths what moves fast; all frames of a video are decoded for it. --pan-from and \
            --pan-to move over the frames as a camera would. --keogram and --trails write images that are made of all frames, and \
            are written when the movie is complete. With --every, --stamp, --keogram and --trails are of the shots as they are taken; the images of \
            each movie that --daily makes have its date in their names. Of a movie that was shot, one that was killed too, the images are made with \
            --from-video and --speed 1x.

            The output gets its name when it is complete and checked; until then it has none. The inputs are never changed.

            EXAMPLES
              rushes timelapse day.mov --every 2s
              rushes timelapse site.mov --every 10m --camera "HD Webcam" --resume
              rushes timelapse site.mov --every 1m --between 06:00-20:00 --daily --standby
              rushes timelapse sky.mov --every 30s --stamp '%F %R' --keogram sky.png
              rushes timelapse sky.mp4 --duration 12h --length 30s --rate 25
              rushes timelapse day.mov --from-video long.mp4 --speed 60x
              rushes timelapse day.mp4 --from-video long.mkv --length 30s --rate 25
              rushes timelapse day.mov --from-video long.mov --speed 120x --exact
              rushes timelapse day.mov --from-video long.mp4 --speed 60x --deflicker
              rushes timelapse even.mov --from-video day.mov --speed 1x --deflicker
              rushes timelapse night.mov --from-images shots --drop-flashes
              rushes timelapse day.mov --from-video walk.mp4 --ramp 4x,60x@1m,4x@5m
              rushes timelapse day.mov --from-images shots --deflicker
              rushes timelapse day.mov --from-images shots --lut film.cube
              rushes timelapse day.mov --from-images incoming --watch --idle 1h
              rushes timelapse talk.mov --from-video talk.mp4 --speed 2x --audio
              rushes timelapse night.mov --from-images shots --trails stars.png
              rushes timelapse day.mov --from-images a --pan-to x=40%,y=20%,width=60%
              rushes timelapse day.mp4 --from-images 'card1/*.JPG' card2 --fit pad

            EXIT STATUS
              0    done, also when you or a limit ended the shots
              1    could not start, or failed; of videos and photos nothing is left
              3    a fault ended the shots early; the file is complete and good
              64   wrong usage, named before a file is created
              130  cancelled; nothing is left
            """)

    @Argument(
        help: ArgumentHelp(
            "The movie to write; its ending chooses the container: .mov, .mp4, .mkv or .webm.", valueName: "file"),
        completion: .file(extensions: ["mov", "mp4", "mkv", "webm"]), transform: localPath)
    var name: String?
    /// The movie to write.
    var file: String { name ?? "" }

    @OptionGroup(title: "Camera") var live: LiveTimelapseOptions
    @OptionGroup(title: "Video or photos") var source: TimelapseSourceOptions
    @OptionGroup(title: "Speed") var pace: TimelapsePaceOptions
    @OptionGroup(title: "Look") var look: TimelapseLookOptions
    @OptionGroup(title: "Encoding") var encoding: TimelapseEncodingOptions
    @OptionGroup(title: "Output") var display: OutputOptions

    @OptionGroup(title: "Output") var finishing: FinishingOptions
    @OptionGroup(title: "Output") var place: OutputFileOption

    private var isLive: Bool { live.isMeant(waits: source.watch) }

    mutating func validate() throws {
        name = try place.file(or: name)
        guard name != nil else { throw ValidationError("There is no movie to write; name it.") }
        guard isLive != source.isGiven else {
            throw ValidationError(
                source.isGiven
                    ? "--every, --camera, --duration and --resume are for cameras; leave them out with a video or photos."
                    : "There is nothing to make a timelapse of; give --every 2s for a camera, a video with --from-video, or photos with --from-images."
            )
        }
        guard isLive || live.minFree == nil else {
            throw ValidationError("--min-free is for cameras; leave it out with a video or photos.")
        }
        guard pace.pace != nil || source.fromVideo == nil else {
            throw ValidationError("Say how fast it should be: --speed 60x, or --length 30s.")
        }
        if isLive, let option = source.givenLight.first {
            throw ValidationError(
                "\(option) looks at the frames on both sides of each, and a shot goes to the disk as soon as it is taken; leave it out, and "
                    + "use it on the movie: rushes timelapse even.mov --from-video \(file) --speed 1x \(option).")
        }
        if isLive, let option = (look.forFiles + pace.forFiles).first {
            throw ValidationError(
                "\(option) is for videos and photos; leave it out, and make a timelapse of the movie.")
        }
        if pace.isAsItIs, source.fromVideo == nil || source.givenLight.isEmpty && !look.changesFrames {
            throw ValidationError(
                "--speed is above 1; a timelapse is faster than what it is made of. 1x is for a video whose frames are changed, with "
                    + "--deflicker or --keogram say.")
        }
        switch (source.fromVideo, look.blend?.blend) {
        case (_?, .photos):
            throw ValidationError("--blend of a video is an angle, such as 180deg: how long a shutter is open.")
        case (nil, .shutter): throw ValidationError("--blend of photos is how many become one frame, such as 4.")
        default: break
        }
        if source.fromVideo == nil, pace.ramp != nil { throw ValidationError("--ramp is for videos; leave it out.") }
        guard pace.keepTime else { return }
        guard source.fromVideo == nil else { throw ValidationError("--keep-time is for photos; leave it out.") }
        guard pace.pace != nil else {
            throw ValidationError("--keep-time wants to know how fast; give --speed 600x, or --length 30s.")
        }
        guard look.blend == nil else {
            throw ValidationError("--keep-time and --blend cannot be used together; give one.")
        }
    }

    func run() async throws {
        try await reportingFailures(verbose: display.verbose) {
            if isLive {
                try await LiveTimelapseRun(request: LiveTimelapseRequest(self), output: display).run()
            } else if let path = source.fromVideo {
                try await export(video(path)).run()
            } else {
                let paths = FilePath.typed(source.fromImages)
                try await export(photos(source.watch ? watched(paths[0]).photos() : paths)).run()
            }
        }
    }

    /// Of a video or of photos.
    private func export(_ source: Timelapse) -> TranscodeRun {
        var timelapse = source
        (timelapse.light, timelapse.look) = (self.source.light, look.look(replacesExisting: finishing.overwrite))
        if let rate = pace.rate { timelapse.rate = rate.fraction }
        let note =
            pace.rate == nil && !pace.isAsItIs
            ? "The timelapse has \(timelapse.rate.rateText) frames a second; --rate sets others." : nil
        let settings = self.settings
        return TranscodeRun(destination: destination, output: display) { [timelapse] thumbnail, onActivity in
            try ExportSession(timelapse, settings: settings, thumbnail: thumbnail, center: .shared) { activity in
                onActivity(activity)
                if let note { StandardStreams.printNote(note) }
            }
        }
    }

    private func video(_ path: String) -> Timelapse {
        var timelapse = Timelapse(ofVideo: FilePath(typed: path), pace.pace ?? .speed(1))
        (timelapse.isExact, timelapse.keepsAudio) = (source.exact, source.audio)
        // Frame for frame, at the video's own rate; what cannot be read is told by the export.
        if pace.isAsItIs, let info = try? MovieInfo(contentsOf: FilePath(typed: path)),
            let rate = info.video.first?.frameRate.flatMap({ Fraction(frameRate: "\($0)") })
        {
            timelapse.rate = rate
        }
        return timelapse
    }

    private func watched(_ folder: FilePath) -> WatchedPhotos {
        WatchedPhotos(
            folder: folder,
            limits: .init(count: source.count, duration: live.duration?.duration, idle: source.idle?.duration),
            destination: destination, images: look.look(replacesExisting: finishing.overwrite).images,
            settings: settings, output: display)
    }

    private func photos(_ paths: [FilePath]) -> Timelapse {
        var timelapse = Timelapse(ofPhotos: paths)
        (timelapse.pace, timelapse.keepsTimes, timelapse.padsPhotos) = (pace.pace, pace.keepTime, source.fit == .pad)
        return timelapse
    }

    private var destination: MovieDestination { finishing.destination(file) }

    private var settings: ExportSettings {
        var settings = encoding.settings
        if encoding.preset == nil, destination.path.isGIF { settings.preset = TranscodeCommand.animationPreset }
        finishing.apply(to: &settings)
        settings.lookupTable = look.lut.map { FilePath(typed: $0) }
        return settings
    }
}
