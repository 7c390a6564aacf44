import ArgumentParser
import Encoding
import Errors
import Export
import FileSystem
import Foundation
import MovieFiles
import Rushes
import SystemPackage
import Threads

/// `rushes join`: several movies one behind the other, without encoding or, with a preset, encoded as one.
struct JoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join movies end to end, without encoding where they are alike.",
        discussion: """
            The movies have to match: codec, size, rotation, and the audio's codec, rate and channels. Every frame and every \
            packet of audio is copied as it is. Video continues without a gap, and audio starts again with each movie: what a \
            decoder needs only to start is hidden at every seam; in Matroska and WebM, which have no edit lists, players built on \
            ffmpeg hide it. Audio that ends before its frames pauses until the next movie's. Chapters and subtitles follow each \
            other; title, date and time code are the first movie's. Audio files of one kind, .m4a, are joined likewise.

            What is neither a movie nor Matroska, as the .mts, .ts, .flv or .avi files of a camera, is copied first, as \
            'rushes transcode --preset copy' does it: on the output's disk there has to be space for it twice.

            Files of audio are joined to .wav and .flac to the sample, without a gap, and to .mp3, .opus, .ogg, .mka and .m4a in one \
            encoding: their rate and channels are the first file's, and each begins a chapter of its name. Some hundredths \
            of a second of silence follow each MP3 file, as MP3 holds whole frames alone.

            With --preset movies that differ are joined too: all are decoded and encoded as one. Frames are turned upright and scaled \
            into the first movie's size, or --size, with bars around what has another shape; they keep their own times, unless \
            --rate makes the rate constant. Audio gets the rate and the channels of the first that there is, of each movie the \
            first track; a movie without audio is silent. Each movie begins a chapter of its name, unless it has chapters itself. \
            The output gets its name when it is complete and checked.

            EXAMPLES
              rushes join a.mov b.mov --output c.mov
              rushes join 00001.mts 00002.mts --output tape.mov
              rushes join take-1.mov take-2.mov take-3.mov --output take.mp4
              rushes join phone.mov camera.mp4 --output trip.mp4 --preset h264
              rushes join side-a.wav side-b.flac --output tape.flac
            """)

    @Argument(
        help: ArgumentHelp("The movies, in their order.", valueName: "file"),
        completion: .file(extensions: ["mov", "mp4", "mkv", "webm", "m4a", "mp3", "wav", "flac", "opus"]),
        transform: localPath)
    var files: [String]
    @Option(
        name: [.long, .short],
        help: ArgumentHelp(
            "The movie to write: .mov, .mp4, .mkv or .webm; .m4a, .wav, .flac, .mp3, .opus, .ogg or .mka for audio alone.",
            valueName: "file"),
        completion: .file(),
        transform: localPath)
    var output: String
    @OptionGroup(title: "Encoding") var encoding: JoinEncodingOptions
    @OptionGroup(title: "Output") var display: OutputOptions
    @OptionGroup(title: "Output") var finishing: FinishingOptions

    func validate() throws {
        guard files.count > 1 else { throw ValidationError("One movie alone cannot be joined; name two or more.") }
        if encodesAudio {
            if encoding.audio?.setting == .copy {
                throw ValidationError("Audio that becomes one is encoded; leave --audio copy out.")
            }
            if encoding.preset == nil, let option = encoding.given.first(where: { $0 != "--audio" }) {
                throw ValidationError("\(option) is for video, and \(output) holds audio alone; leave it out.")
            }
            return
        }
        guard encoding.preset == nil else { return }
        let needing = encoding.given + finishing.forFiles + (display.json ? ["--json"] : [])
        if let option = needing.first {
            throw ValidationError("\(option) is for movies that are encoded; add --preset, such as --preset h264.")
        }
    }

    func run() async throws {
        Term.useOptions(except: [.transcoding: "'rushes join --preset h264', which encodes them as one"])
        try await reportingFailures(verbose: display.verbose) {
            if encoding.preset == "help" { return try PresetList.print() }
            if encodesAudio { return try await encode(encoding.settings ?? encoding.audioSettings) }
            if let settings = encoding.settings { return try await encode(settings) }
            let overwrite = finishing.overwrite
            let (inputs, target) = (FilePath.typed(files), FilePath(typed: output))
            let destination = MovieDestination(target, replacesExisting: overwrite)
            let kind = try kind(target)
            if let own = inputs.first(where: { $0.isSameFile(as: target) }) {
                throw ValidationError("\(own.wireText) is one of the movies itself; name another file.")
            }
            let size = inputs.reduce(Int64(0)) { $0 + $1.fileSize }
            try destination.check(needing: size)
            let movies = try await JoinCopies(of: inputs, for: destination, style: display.progress)
            let joined = try await CopyDisplay.during(target.wireText, style: display.progress) { progress in
                try MovieJoin.join(movies.files, to: target, as: kind, replacing: overwrite) { part in
                    progress(part)
                    return true
                }
            }
            for note in movies.notes + joined.notes { StandardStreams.printNote(note) }
            // Edit lists hide frames of parts.
            let shown = try? await onOwnThread("rushes-index") { try ShownFrames.count(in: target) }
            let parts = [
                Words.clock(joined.duration), (shown ?? joined.frameCount).map { Words.count($0, "frame") },
                Words.size(Int64(clamping: joined.fileSize)),
            ].compactMap(\.self)
            StandardStreams.printNote("\(target.wireText): \(files.count) movies, \(parts.joined(separator: ", ")).")
        }
    }

    private func encode(_ settings: ExportSettings) async throws {
        guard try encodesAudio || kind(FilePath(typed: output)) != .audio else {
            throw ValidationError("With --preset movies are joined to .mov, .mp4, .mkv or .webm; name the file so.")
        }
        if encodesAudio, files.contains(where: { FilePath(typed: $0).extension?.lowercased() == "mp3" }) {
            StandardStreams.printNote(
                "MP3 holds whole frames alone, so some hundredths of a second of silence follow each MP3 file; WAV and FLAC have none."
            )
        }
        var settings = settings
        finishing.apply(to: &settings)
        try await TranscodeRun(destination: finishing.destination(output), output: display) {
            [files, settings] thumbnail, onActivity in
            ExportSession(
                joining: FilePath.typed(files), settings: settings, thumbnail: thumbnail, center: .shared,
                onActivity: onActivity)
        }.run()
    }

    /// Whether the files are decoded and become one of audio alone: what is not in MP4 has no edit list that would hide what decoders need at
    /// each beginning.
    private var encodesAudio: Bool {
        guard let container = try? MovieDestination(FilePath(typed: output)).container(), !container.holdsVideo else {
            return false
        }
        return container != .m4a
            || files.contains { Self.audioEndings.contains(FilePath(typed: $0).extension?.lowercased() ?? "") }
    }

    /// Of files of audio that are not MP4.
    private static let audioEndings: Set<String> = [
        "mp3", "wav", "flac", "opus", "ogg", "oga", "aif", "aiff", "caf", "mka",
    ]

    private func kind(_ target: FilePath) throws -> MovieJoin.Kind {
        if let type = MovieFileType(endingOf: target) { return .movie(type) }
        switch target.extension?.lowercased() {
        case "mkv": return .matroska(isWebM: false)
        case "webm": return .matroska(isWebM: true)
        case "m4a", "m4b": return .audio
        default:
            throw ValidationError(
                "Movies are joined to .mov, .mp4, .mkv or .webm, and audio to .m4a, .wav, .flac, .mp3, .opus or .ogg; name the file so."
            )
        }
    }
}
