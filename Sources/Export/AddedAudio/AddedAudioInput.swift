import Encoding
import Errors
import FileSystem
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// A file whose first audio track is added to a movie, opened.
struct AddedAudioInput: Sendable {
    let movie: MovieInput
    /// For people, without its folder.
    let name: String
    /// nil for what the file says.
    let language: TrackLanguage?
    /// As a track of the output is treated, but for where it is put meanwhile.
    private let planner: ExportPlanner
    private let destination: MovieDestination
    private let status: ExportStatus
    /// What the audio is copied as; nil where it is encoded, or is what has no name here.
    private let copied: AudioCodec?

    /// Opens the file, and finds out whether the output can hold its audio.
    ///
    /// - Throws: ``RushesError`` if it has none, cannot be read, or the output cannot hold it as it is where that is wanted.
    init(
        _ added: AddedAudio, for target: ExportTarget, _ tables: EncoderTables, _ destination: MovieDestination,
        _ status: ExportStatus
    ) async throws {
        guard let path = added.path else { throw RushesError(.badInput, "The path of added audio cannot be read.") }
        guard !path.isSameFile(as: destination.path) else {
            throw RushesError(
                .invalidSettings, on: path.string,
                "\(path.displayName) is \(Term.addedAudio) itself; name another file.")
        }
        let movie = try await onOwnThread("rushes-input") { try MovieInput(try InputFile(path)) }
        (self.movie, self.destination, self.status) = (await movie.measured(), destination, status)
        name = movie.fileName
        language = added.language.flatMap { TrackLanguage($0) } ?? TrackLanguage(ofFileNamed: path)
        try Self.check(target.settings.parts ?? [], self.movie)
        var target = target
        (target.takesVideo, target.burntSubtitles, target.edge) = (false, nil, nil)
        (target.settings.videoFilter, target.settings.audioFilter) = (nil, nil)
        target.filters = FilterChoice()
        target.settings.audioTracks = .chosen([.number(1)])
        target.tracks = try await onOwnThread("rushes-tracks") { [target] in
            try ChosenTracks(target.settings, movie.file, movie.properties, of: movie.displayName)
        }
        planner = ExportPlanner(target: target, properties: movie.properties, tables: tables)
        let context = ExportContext(
            input: movie, settings: target.settings, destination: destination,
            output: TemporaryOutput(for: destination), status: ExportStatus())
        copied = try await context.retrying { [planner] reasons in
            try await movie.source(for: target, without: reasons).reading(context.status) { source in
                try await source.open()
                let opened = try await EncodingRun.openTracks(source)
                guard let audio = try target.tracks.chosen(of: opened, in: movie.displayName).audio.first else {
                    if opened.isEmpty, let reason = await source.lastResort(context.status) { throw reason }
                    throw RushesError(.badInput, on: movie.displayName, "There is no audio in \(movie.displayName).")
                }
                _ = try planner.planAudio(audio, 0, beside: nil)
                return audio.track.isCopied ? AudioCodec(caps: audio.caps) : nil
            }
        }
    }

    /// - Throws: ``RushesError`` where the audio would pause between two of the parts.
    private static func check(_ parts: [TimeRange], _ movie: MovieInput) throws(RushesError) {
        let name = movie.fileName
        guard let duration = movie.properties.duration, let last = parts.lastIndex(where: { $0.start < duration }),
            let early = parts[..<last].first(where: { $0.end ?? .max > duration })
        else { return }
        throw RushesError(
            .invalidSettings, on: name,
            "\(name) ends at \(duration.secondsToHundredths) s, before the \(Term.part) from "
                + "\(early.start.secondsToHundredths) s on does, and it has audio for a later one; name that part last."
        )
    }

    /// Whether it is put into the output as it is.
    var isCopied: Bool { copied != nil }

    /// How long it lasts; nil where only reading it tells.
    var duration: MediaTime? { movie.properties.duration }

    /// The audio of some parts behind each other, as a movie file of its own.
    struct Made: Sendable {
        var original: MovieOriginal
        /// Keeps the file.
        var storage: (any Sendable)?
        var duration: MediaTime
        /// Sentences for people.
        var notes: [String]
    }

    /// - Parameter parts: in its own time; ends behind its own stand for that.
    /// - Throws: ``RushesError`` with the code `nothingRecorded` where it has nothing there.
    func made(_ parts: [TimeRange]) async throws -> Made {
        if let made = try await copied(parts) { return made }
        var planner = planner
        planner.target.container = between
        let isWhole = parts.count == 1 && reachesEnd(parts[0])
        planner.target.settings.range = parts.count == 1 && !isWhole ? parts[0] : nil
        planner.target.settings.parts = parts.count > 1 ? parts : nil
        let settings = planner.target.settings
        let input: any ExportInput =
            parts.count > 1
            ? try await onOwnThread("rushes-parts") { [movie] in try PartsInput(movie, parts) } : movie
        let output = TemporaryOutput(for: destination)
        let context = ExportContext(
            input: input, settings: settings, destination: destination, output: output, status: status)
        if settings.loudness != nil {
            planner.target.gains = try await LoudnessMeasurement(context: context, planner: planner).gains()
        }
        let gains = planner.target.gains.map { $0.words(of: name) }
        let written = try await EncodingRun(context: context, planner: planner).runRetrying()
        return Made(
            original: try MovieOriginal(try output.file().path, isOwn: true), storage: output,
            duration: written.expected.duration,
            notes: written.notes.map { "\(name): \($0)" } + context.log.notes + gains)
    }

    private func reachesEnd(_ part: TimeRange) -> Bool {
        guard part.start == .zero else { return false }
        return part.end.map { end in duration.map { $0 <= end } ?? false } ?? true
    }

    /// What holds it meanwhile: edits tell what primes a decoder, which Matroska does not.
    private var between: Container {
        let container = planner.target.container
        guard !container.isMovieFile else { return container }
        let codec = copied ?? planner.target.audio ?? .aac
        return [Container.mp4, .mov].first { ContainerRules.allows(codec, in: $0) } ?? .mka
    }

    /// The samples of a movie's or a Matroska file's audio as they are; nil where a pipeline has to carry them.
    private func copied(_ parts: [TimeRange]) async throws -> Made? {
        guard let copied, movie.properties.hasOwnSubtitles, let file = movie.file else { return nil }
        let (container, isWhole) = (planner.target.container, parts.count == 1 && reachesEnd(parts[0]))
        let type: MovieFileType = between.movieFileType
        let note = "\(name): \(copied.displayName) is copied as it is."
        return try await onOwnThread("rushes-added") {
            do {
                let places = TrackPlaces(audio: [0], subtitles: [], takesOthers: false)
                let original = try MovieOriginal(FilePath(file.location), tracks: places)
                let options = MovieCopy.Options(fileType: type)
                let whole = try MovieCopy(of: original, options: options)
                if isWhole, !container.isMovieFile {
                    return Made(original: original, duration: whole.duration, notes: [note])
                }
                let copy: MovieCopy
                if isWhole {
                    copy = whole
                } else {
                    let ranges = parts.map { $0.start..<max($0.start, min($0.end ?? .max, whole.duration)) }
                    guard ranges.allSatisfy({ !$0.isEmpty }) else { throw MovieFileError.noSamples }
                    var part = options
                    part.timeRange = ranges.count == 1 ? ranges[0] : nil
                    copy =
                        ranges.count == 1
                        ? try MovieCopy(of: original, options: part)
                        : try MovieCopy(
                            of: try JoinedOriginal(original, parts: ranges, chapters: []), options: options)
                }
                let storage = try UnnamedFile(forExportIn: destination.folder)
                try copy.write(to: storage.descriptor) { _ in status.mayContinue() }
                return Made(
                    original: try MovieOriginal(storage.path, isOwn: true), storage: storage,
                    duration: copy.duration, notes: [note])
            } catch let error as MovieFileError where error.isRefusal {
                return nil
            }
        }
    }
}
