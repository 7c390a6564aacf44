import ArgumentParser
import Foundation
import Imaging
import Rushes
import SystemPackage

/// `rushes record`: camera and microphone to a movie.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record camera and microphone to a movie, or audio alone.",
        discussion: """
            The file's ending chooses the container: .mov, .mp4, .mkv or .webm; or, for audio alone, .m4a (AAC, or ALAC with \
            --audio alac), .mp3, .opus, .wav, .flac or .mka (Opus or FLAC), and no camera is opened. What you leave out is chosen by what \
            the camera offers and this machine can keep up with; a line says what.

            At a terminal the space bar pauses and resumes, m marks a chapter, p takes a photo, a mutes or unmutes the microphones, c continues with the next camera, n starts the next file and q stops; of \
            several cameras s swaps the first two, 1 to 7 choose a layout, 8 and 9 show one camera alone, and 0 shows all again. 'rushes control' does the same from elsewhere. A pause is cut from video and audio alike.

            With --standby, devices and encoders run and nothing is written until you press Return or r, or until 'rushes control ID start' from \
            elsewhere. With --pre-roll 10s the recording then holds the last ten seconds before that too. With --replay 30s, \
            'rushes control ID save 30s' writes the last half minute to a file of its own at any time.

            With --trigger the camera or the microphone is watched, and a movie is made each time something moves or is loud, until \
            Ctrl-C. Changing light is not motion. Nothing is lost between two movies.

            With --split-every or --trigger the name may have placeholders: %02d for the file's number (the first that is free), %F for the date, %H.%M.%S for \
            the time at which the file begins, %% for a percent sign. With --keep 20G too, the oldest files of the recording are deleted for \
            new ones; 'rushes control ID pin', or k, keeps the one that is being written.

            'rushes control ID switch CAMERA', or c, lets another camera continue the movie. With --on-loss switch that happens automatically when \
            the camera is unplugged or fails; without, its last frame stays for a moment, then black frames say what is missing, until it is \
            back.

            Ctrl-C ends the recording, and the file is complete; a second Ctrl-C quits without waiting for that. If the recorder is \
            killed, the file plays up to its last second, and rushes recover completes it.

            EXAMPLES
              rushes record take.mov
              rushes record --camera "HD Webcam" --size 1280x720 --rate 30 take.mp4
              rushes record --codec prores --profile hq --duration 2m interview.mov
              rushes record --camera desk --inset face --layout top-left,radius=24 talk.mov
              rushes record --camera desk --inset face,rotate=90,mirror talk.mov
              rushes record --microphone desk --microphone speakers call.mov
              rushes record --microphone desk,gain=6 --microphone speakers --mix call.m4a
              rushes record voice.m4a
              rushes record --bit-depth 16 --duration 1h voice.wav
              rushes record --meter take.mov          levels first; Return begins
              rushes record --standby --pre-roll 10s surprise.mov
              rushes record --standby --replay 30s --microphone none goals.mp4
              rushes record --trigger motion --post-roll 10s "door %F %H.%M.%S.mov"
              rushes record --camera none --trigger sound=-30dB "voice-%03d.mov"
              rushes record --split-every 5m --keep 20G "road %F %H.%M.%S.mov"
              rushes record --camera desk --on-loss switch:face talk.mov
              rushes record --preview take.mov        a window shows what is recorded
              rushes record --lut film.cube graded.mov
              rushes record --microphone none --codec copy as-it-comes.mkv
              rushes record --rotation 90 --title "Upright" phone.mp4
              rushes record --camera test:pattern=ball --microphone test --duration 9 a.mp4
              rushes record --camera "gst:rtspsrc location=rtsp://cam/1" --audio none a.mp4
              rushes record --json --duration 1h30m talk.mp4 > events

            EXIT STATUS
              0    done, also when you or a limit ended the recording
              1    could not start, or failed
              3    a fault ended the recording early, or its audio; the file is complete
                   and good; if it was deleted or replaced, a line says where it is
              64   wrong usage, named before a file is created
              130  a second interrupt
            """)

    @Argument(
        help: ArgumentHelp(
            "The movie to write; 'Movie DATE at TIME.mov' in the current folder if left out.", valueName: "file"),
        completion: .file(extensions: ["mov", "mp4", "mkv", "webm", "m4a", "mp3", "opus", "wav", "flac", "mka"]),
        transform: localPath)
    var file: String?

    @OptionGroup(title: "Sources") var sources: SourceOptions
    @OptionGroup(title: "Several cameras") var composition: CompositionOptions
    @OptionGroup(title: "Video") var video: VideoOptions
    @OptionGroup(title: "Encoding") var encoding: EncodingOptions
    @OptionGroup(title: "Audio") var audio: AudioOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Before the start") var standby: StandbyOptions
    @OptionGroup(title: "Written into the file") var tags: TagOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    @Flag(help: "Replace the file if it exists; the old one stays until the new one is complete.") var overwrite = false
    @Flag(help: "Print the GStreamer pipeline and exit.") var printPipeline = false
    @Flag(help: "Show what is recorded in a window, with a level meter; closing it ends nothing.") var preview = false

    @OptionGroup(title: "Output") var place: OutputFileOption

    mutating func validate() throws {
        file = try place.file(or: file)
        guard !audio.meter || standby.wait == nil else {
            throw ValidationError("--standby waits for Return by itself; leave --meter out.")
        }
        let microphones = try sources.microphones()
        guard !audio.mix || microphones.count > 1 else {
            throw ValidationError("--mix makes one track of several microphones; give another --microphone.")
        }
        guard audio.meter, microphones.isEmpty || encoding.audio == AudioCodec.none else { return }
        throw ValidationError("--meter shows how loud a microphone is; choose one with --microphone.")
    }

    func run() async throws {
        try await reportingFailures(verbose: output.verbose) {
            if composition.layout == CompositionOptions.help {
                return StandardStreams.printResult(LayoutDrawing.help())
            }
            if audio.meter, file == nil { return try await showLevels() }
            let request = try await RecordingRequest(self)
            if printPipeline {
                guard video.lut == nil else {
                    throw ValidationError(
                        "--print-pipeline cannot show --lut; use one or the other.")
                }
                StandardStreams.printResult(try await request.pipeline())
            } else {
                try await RecordingSession(request, output: output).run()
            }
        }
    }

    /// Levels alone need a microphone, and nothing of what a movie needs.
    private func showLevels() async throws {
        guard !output.json, !printPipeline else {
            throw ValidationError(
                "--meter without a file shows levels to a person; leave --json and --print-pipeline out.")
        }
        guard limits.duration == nil else {
            throw ValidationError(
                "--meter without a file shows levels until Ctrl-C; leave --duration out, or name the file to record.")
        }
        let wanted = try sources.microphones()
        let found = try await ChosenSources(cameras: [], microphones: wanted.map(\.source)).microphones
        try await LevelPreview.run(
            try zip(wanted, found).map { try $0.plan($1, audio) }, style: output.progress)
    }
}

/// The name of a take without one: "Movie 2026-11-21 at 14.03.22.mov" in the current folder.
enum DefaultName {
    static func path(at date: Date, timeZone: TimeZone = .current, ending: String = "mov") -> FilePath {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func two(_ value: Int?) -> String { (value ?? 0) < 10 ? "0\(value ?? 0)" : "\(value ?? 0)" }
        return FilePath(
            "Movie \(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) "
                + "at \(two(parts.hour)).\(two(parts.minute)).\(two(parts.second)).\(ending)")
    }
}
