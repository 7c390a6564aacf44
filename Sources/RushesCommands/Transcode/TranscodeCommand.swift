import ArgumentParser
import Encoding
import Export
import Foundation
import MovieFiles
import Rushes
import SystemPackage
import Threads

/// `rushes transcode`: a movie made of another one.
struct TranscodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcode",
        abstract: "Convert a movie: another codec, size or container, or a part of it.",
        discussion: """
            Reads whatever GStreamer reads. A track that fits the preset already is copied as it is, and a line says so. \
            Date, place, camera, title, chapters, colors and the rotation of the video are kept where the output can hold them.

            With --preset copy nothing is encoded, except the frames of a part of MOV and MP4 before its first key frame, \
            with H.264 and HEVC; where that is impossible, a line says what is done instead.

            A name that ends in .srt, .vtt or .ass gets the input's subtitles: the first track of text, of several that which players show \
            without being asked, or that of --subtitle-track. Subtitles that are images are not text. The input may be such a file, too.

            --separate makes a file of each part, --split-every of each piece; those that follow each other have each frame once. \
            All names are looked at before the first file is made, and what is complete stays where another one fails or Ctrl-C cancels \
            it. A number in the name, as in part-%02d.mp4, takes the place of theirs.

            A name that ends in .gif gets an animated GIF that repeats for ever, without audio: 255 colors that fit all of its frames, found in \
            a first pass. It has all frames of an input with up to 50 a second, and of a faster one, which players would show at 10, \
            every second or fewer. --rate and --size make it smaller. Pixels are square and turned upright, within --size.

            --image makes a movie of audio, as for sites that take video alone: the image is encoded once a second, with a key frame at least \
            every ten seconds, and audio that the output can hold is copied. The movie is as long as the audio, with its title and chapters.

            The output gets its name when it is complete and checked. Until then it has none, so no part of it is left of \
            an export that fails or is killed. File systems without such files get a hidden one meanwhile.

            --target-quality encodes samples of the input with several qualities, has the installed ffmpeg measure how \
            similar to the input they are, and takes the lowest that is similar enough: SSIM from 0 to 1, VMAF from 0 to 100. VMAF needs \
            an ffmpeg that was built with libvmaf.

            Of several --audio-track, players play the first by default. --loudness amplifies each audio track evenly, \
            less where its true peak would come above -1 dBTP; a line says so.

            --video-filter and --audio-filter are graphs of libavfilter's filters, as ffmpeg's -vf and -af take them, labels [in] and [out] \
            included. Frames are upright there, and times count from the beginning of the output. --size and subtitles come after. \
            Chapters and subtitles keep their times where a filter changes those of the frames.

            With --output-directory several files are exported, a few at a time. One that fails does not stop the others. \
            FOLDER/.rushes-batch keeps what is to be done and what is done, so a batch that was stopped or killed continues \
            with --resume. While the disk is nearly full it waits for space.

            EXAMPLES
              rushes transcode take.mov --output take.mp4 --preset hevc
              rushes transcode long.mkv --start 1m30s --end 2m --output part.mp4
              rushes transcode talk.mov --part 10s-1m --part 5m-6m30s --output cut.mp4
              rushes transcode talk.mov --part 0-1m --part 5m- --separate --output cut.mp4
              rushes transcode film.mkv --part chapters --separate --output film.mp4
              rushes transcode long.mp4 --split-every 10m --preset copy --output long.mp4
              rushes transcode dv.avi --output edit.mov --preset prores-hq
              rushes transcode take.mov --output take.mp4 --target-quality ssim:0.985
              rushes transcode log.mov --output film.mp4 --lut film.cube
              rushes transcode film.mkv --output film.mp4 --crop auto
              rushes transcode clip.mov --output slow.mp4 --speed 0.25x
              rushes transcode old.avi --output new.mp4 --video-filter hqdn3d
              rushes transcode clip.mkv --output clip.mp4 --preset copy
              rushes transcode talk.mov --output talk.mp3
              rushes transcode talk.mp3 --image cover.jpg --output talk.mp4
              rushes transcode talk.webm --output talk.opus --preset copy
              rushes transcode talk.mov --output b.mp4 --preset copy --loudness -16
              rushes transcode film.mkv --output film.mp4 --audio-track de,1
              rushes transcode film.mkv --output film.mp4 --burn-subtitles de
              rushes transcode film.mp4 --output b.mp4 --add-subtitles film.de.srt
              rushes transcode films --output-directory tv --add-subtitles auto
              rushes transcode film.mkv --output film.srt
              rushes transcode clip.mov --end 4s --size 480x270 --rate 12 --output clip.gif
              rushes transcode film.mp4 --output b.mp4 --add-audio voice.de.wav
              rushes transcode take.mov --preset copy --start 10s --output part.mov
              rushes transcode obs.mkv --output b.mp4 --preset copy --audio-delay -0.2s
              rushes transcode clips --output-directory small --size 720p
              rushes transcode phone.mov --output b.mov --preset copy --strip-metadata
              rushes transcode films --output-directory music --container mp3
              rushes transcode card --recursive --output-directory small
              rushes transcode --resume --output-directory small
              rushes transcode --watch inbox --output-directory small --preset h264
              rushes transcode --preset help

            EXIT STATUS
              0    done
              1    could not start, or failed; nothing is left. Of several: some failed
              64   wrong usage, named before a file is created
              130  cancelled; nothing is left. Of several files: a second interrupt
            """)

    @Argument(
        help: "The file to read; with --output-directory several, and folders for the movies in them.",
        completion: .file(), transform: localPath)
    var inputs: [String] = []

    @Option(
        name: [.long, .short],
        help: ArgumentHelp(
            "The movie to write; its ending chooses the container: .mov, .mp4, .mkv, .webm or .gif, or .m4a, .mp3, .opus, .ogg, .wav, .flac or .mka for its audio alone, .srt, .vtt or .ass for its subtitles.",
            valueName: "file"), transform: localPath)
    var output: String?

    @Option(
        help: ArgumentHelp(
            "What to make, hevc if left out, gif for a .gif, webm for a .webm and h264 with --image; help lists all. Or the path of a .gep file.",
            valueName: "name"),
        transform: PresetList.name)
    var preset: String?

    @OptionGroup(title: "Video") var conversion: ConversionOptions
    @OptionGroup(title: "Files of parts") var separation: SeparationOptions
    @OptionGroup(title: "Tracks") var tracks: TrackOptions
    @OptionGroup(title: "Encoding") var encoding: ReencodingOptions
    @OptionGroup(title: "Several files") var batch: BatchOptions
    @OptionGroup(title: "Output") var display: OutputOptions

    @OptionGroup(title: "Output") var finishing: FinishingOptions
    @Flag(help: "Print the GStreamer pipeline and exit.") var printPipeline = false

    func validate() throws {
        if !separation.isWanted { try conversion.checkJoined() }
    }

    func run() async throws {
        try await reportingFailures(verbose: display.verbose) {
            if preset == "help" { return try PresetList.print() }
            if separation.isWanted { return try await separateRun().run() }
            if batch.folder.outputDirectory != nil { return try await batchRun().run() }
            guard let input = inputs.first else { throw ValidationError("There is no file to read; name one.") }
            guard inputs.count == 1 else {
                throw ValidationError(several)
            }
            guard let output else { throw ValidationError(missingOutput(of: FilePath(typed: input))) }
            guard !isFolder(FilePath(typed: output)) else {
                throw ValidationError("\(output) is a folder; name a file in it, or use --output-directory.")
            }
            let destination = finishing.destination(output)
            guard !["jpg", "jpeg", "png", "webp"].contains(destination.path.extension?.lowercased()) else {
                throw ValidationError(
                    "\(output) is an image; write a frame with 'rushes snapshot \(input) --at TIME --output \(output)'."
                )
            }
            if SubtitleFormat(destination.path) != nil {
                guard preset == nil || preset == "copy", !finishing.verify, !printPipeline else {
                    let option = printPipeline ? "--print-pipeline" : finishing.verify ? "--verify" : "--preset"
                    throw ValidationError("\(output) holds subtitles alone; leave \(option) out.")
                }
            }
            if printPipeline { return try await showPipeline(of: FilePath(typed: input), to: destination) }
            var settings = self.settings
            if conversion.parts.contains(where: { $0.range == nil }) {
                let choices = conversion.parts.map(\.choice)
                settings.take(
                    parts: try await onOwnThread("rushes-parts") {
                        try PartChoice.joined(choices, of: FilePath(typed: input))
                    })
            }
            try await TranscodeRun(destination: destination, output: display) { [settings] thumbnail, onActivity in
                ExportSession(
                    input: FilePath(typed: input), settings: settings, thumbnail: thumbnail, center: .shared,
                    onActivity: onActivity)
            }.run()
        }
    }

    func missingOutput(of input: FilePath) -> String {
        isFolder(input)
            ? "\(input) is a folder; name one for what is made of its movies with --output-directory."
            : "--output is missing; name the movie to write."
    }

    func isFolder(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withPlatformString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    var several: String {
        // As people write it who copy a file with cp.
        if inputs.count == 2, FilePath.typed(inputs)[1].withPlatformString({ access($0, F_OK) }) != 0 {
            return "There is no file \(inputs[1]); if it is the movie to write, name it with --output."
        }
        return "Several files go into a folder; name it with --output-directory."
    }

    var settings: ExportSettings {
        var settings = ExportSettings(preset: preset ?? usualPreset, conversion, encoding)
        tracks.apply(to: &settings)
        finishing.apply(to: &settings)
        return settings
    }
}

extension FilePath {
    /// Whether its ending asks for a GIF.
    var isGIF: Bool { self.extension?.lowercased() == "gif" }
}
