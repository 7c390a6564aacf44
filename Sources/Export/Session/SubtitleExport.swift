import Encoding
import Errors
import FileSystem
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// The subtitles of a movie, or of a file of their own, as a file: from the index, without a pipeline.
struct SubtitleExport: Sendable {
    let job: ExportJob
    let format: SubtitleFormat

    /// - Throws: ``RushesError``, before a file is created for all that is wrong with the input and the settings; `MovieFileError`;
    ///   `CancellationError`.
    func run() async throws -> ExportResult {
        try job.settings.refuseAllButSubtitles(in: job.destination.path.displayName)
        let source = try await onOwnThread("rushes-input") { try open() }
        let made = try await onOwnThread("rushes-subtitles") { try make(of: source) }
        job.status.report(.opened)
        job.onOpened()
        try Task.checkCancellation()
        let output = TemporaryOutput(for: job.destination)
        do {
            try await onOwnThread("rushes-output") {
                try output.file().withDescriptor { _ = try $0.writeAll(made.written.bytes) }
                if case .movie(let movie) = source, let file = movie.file {
                    FileTimes.copy(from: file, to: try output.file().path)
                }
            }
            // Until here somebody may have cancelled it.
            try Task.checkCancellation()
            try await onOwnThread("rushes-commit") { try output.commit() }
        } catch {
            output.remove()
            throw error
        }
        let size = Int64(made.written.bytes.count)
        job.status.report(.completed(size: size))
        return ExportResult(
            path: job.destination.path, size: size, duration: MediaTime(nanoseconds: made.written.end), frames: 0,
            notes: made.notes)
    }

    private enum Source: Sendable {
        case movie(MovieInput)
        case file(SubtitleFile)
    }

    private struct Made: Sendable {
        var written: WrittenSubtitles
        var notes: [String]
    }

    private var name: String { job.origin.path.displayName }
    private var fileName: String { job.origin.path.lastComponent.map { "\($0)" } ?? name }

    /// Blocks.
    private func open() throws -> Source {
        guard job.origin.path.isSubtitles else {
            let opened = Result { try job.origin.open() }
            try job.checkOutputs()
            guard let movie = try opened.get()() as? MovieInput else {
                throw RushesError(.invalidSettings, "Subtitles are read from one movie; name that.")
            }
            _ = try movie.properties.settled(job.settings, movie.path)
            return .movie(movie)
        }
        try job.checkOutputs()
        let file = try SubtitleFile(job.origin.path, language: nil)
        guard !file.isBitmap else { throw images("PGS") }
        return .file(file)
    }

    /// Blocks.
    private func make(of source: Source) throws -> Made {
        var (subtitles, notes): (MovieSubtitles, [String])
        switch source {
        case .file(let file): (subtitles, notes) = (try MovieSubtitles(file), file.omissions)
        case .movie(let movie):
            let chosen = try choose(from: movie)
            (subtitles, notes) = (chosen.subtitles, chosen.notes)
        }
        let part = MovieSubtitles.Part(try spans(of: source), delay: 0)
        let written: WrittenSubtitles
        do throws(MovieFileError) { written = try subtitles.written(as: format, part) } catch {
            throw RushesError(.badInput, on: job.origin.path.string, "The subtitles cannot be read: \(error)")
        }
        guard written.count > 0 else {
            let what = job.settings.takesParts ? "is shown in the part; choose a longer one" : "can be read"
            throw RushesError(
                .invalidSettings, on: job.origin.path.string, "No subtitle of \(name) \(what).")
        }
        if written.losesLooks {
            notes.append("Bold, italic and underlined text is kept; other styles of the subtitles are left out.")
        }
        return Made(written: written, notes: notes)
    }

    /// The track that is taken, and what is said of the others. Blocks.
    private func choose(from movie: MovieInput) throws -> (subtitles: MovieSubtitles, notes: [String]) {
        guard movie.properties.hasOwnSubtitles, let file = movie.file else {
            throw RushesError(
                .invalidSettings, "Subtitles are read from MKV, WebM, MP4 and MOV only, and \(name) is none of them.")
        }
        let path = FilePath(file.location)
        let tracks = try ChoosableTracks(of: path, subtitlesOnly: true).subtitles
        guard !tracks.isEmpty else {
            throw RushesError(.invalidSettings, on: name, "There are no subtitles in \(name).")
        }
        let place = try place(among: tracks)
        switch tracks[place].content {
        case .text: break
        case .images(let kind): throw images(kind)
        case .unknown(let kind):
            throw RushesError(
                .invalidSettings, "The subtitles of \(name) are of a kind that cannot be read here (\(kind)).")
        }
        let subtitles = try MovieSubtitles(of: path, tracks: TrackPlaces(subtitles: [place]))
        guard tracks.count > 1 else { return (subtitles, []) }
        let language = tracks[place].attributes.language.map { " (\($0.displayName))" } ?? ""
        let others = tracks.count == 2 ? "1 other subtitle track is" : "\(tracks.count - 1) other subtitle tracks are"
        let note =
            "Subtitle track \(place + 1)\(language) is taken. \(others) left out; choose with \(Term.subtitleTrack)."
        return (subtitles, [note])
    }

    /// That of the settings; without, the first of texts, and of these one that players show without being asked.
    private func place(among tracks: [ChoosableTracks.Track]) throws(RushesError) -> Int {
        func best(_ places: [Int]) -> Int {
            let texts = places.filter { tracks[$0].content == .text }
            return texts.first { tracks[$0].attributes.isDefault == true } ?? texts.first ?? places[0]
        }
        switch job.settings.subtitleTracks {
        case nil, .all?: return best(Array(tracks.indices))
        case TrackSelection.none?:
            throw RushesError(
                .invalidSettings,
                "\(Term.subtitleTrack) none leaves all subtitles out; leave \(Term.subtitleTrack) out.")
        case .chosen(let choices)?:
            guard choices.count == 1 else {
                throw RushesError(
                    .invalidSettings,
                    "\(job.destination.path.displayName) holds one track; name one with \(Term.subtitleTrack).")
            }
            return best(try ChosenTracks.subtitles(choices[0], among: tracks.map(\.attributes), of: name))
        }
    }

    private func images(_ kind: String) -> RushesError {
        RushesError(
            .invalidSettings, on: job.origin.path.string,
            "The subtitles of \(name) are images (\(kind)), and \(format.displayName) holds text; draw them into the frames with "
                + "\(Term.burntSubtitles).")
    }

    /// What of the file's time is in the output, as of movies.
    private func spans(of source: Source) throws -> [MovieSubtitles.Span] {
        if let ranges = job.settings.parts {
            let plan: PartPlan
            switch source {
            case .movie(let movie): plan = try PartsInput(movie, ranges).plan
            case .file: plan = try PartPlan(ranges, lasting: nil, grid: nil, of: name)
            }
            return plan.parts.map { part in
                .init(
                    origin: part.start.nanoseconds, end: part.end.map(\.nanoseconds), begin: part.offset.nanoseconds)
            }
        }
        let range: TimeRange
        switch source {
        case .movie(let movie):
            range = try movie.properties.settled(job.settings, movie.path).range ?? TimeRange()
        case .file:
            range = job.settings.range ?? TimeRange()
            guard !range.countsFromEnd else {
                throw RushesError(
                    .invalidSettings, on: job.origin.path.string,
                    "Where the movie ends is not known of subtitles alone; give \(Term.start) and \(Term.end) from its beginning."
                )
            }
        }
        return [.init(origin: range.start.nanoseconds, end: range.end.map(\.nanoseconds))]
    }
}

extension FilePath {
    /// Whether it is a file of subtitles alone.
    fileprivate var isSubtitles: Bool {
        let ending = ".\(self.extension?.lowercased() ?? "")"
        return SubtitleChoice.endings.contains(ending)
    }
}
