import Encoding
import Errors
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// The parts of a movie as files of their own, one after another: each is an export of that part alone, of the movie that was opened once.
struct SeparateExport: Sendable {
    /// The movie.
    let path: FilePath
    let choices: [PartChoice]
    let settings: ExportSettings
    /// Whose name the files' names are made of.
    let destination: MovieDestination
    let thumbnail: FilePath?
    let status: ExportStatus
    /// Bytes that have to be free before one begins; as many as usual if left out.
    var minimumFreeSpace: Int64?
    /// Called once the request is accepted and before anything is written.
    var onOpened: @Sendable () -> Void = {}
    /// Takes what is told of all files, and each file when it is complete.
    let finished: Locked<SeparateFiles>

    /// - Throws: ``RushesError`` that names the part which failed, and the files that are complete; `CancellationError`.
    func run() async throws {
        let (jobs, share) = try await ExportJob.naming(path) { try await opened() }
        let weights = weights(of: jobs)
        var done = 0.0
        for (index, job) in jobs.enumerated() {
            guard !status.isStopped else { throw CancellationError() }
            try Task.checkCancellation()
            let begin = share + (1 - share) * done
            done += weights[index]
            let files = finished.withLock { $0.files }
            status.report(
                .part(
                    .init(
                        number: index + 1, count: jobs.count, output: job.destination.path,
                        share: begin..<max(begin, share + (1 - share) * done), duration: duration(of: jobs),
                        earlier: (
                            files.reduce(0) { $0 + $1.frames }, files.reduce(0) { $0 + $1.size },
                            files.reduce(.zero) { $0 + $1.duration }
                        ))))
            do {
                let result = try await job.run()
                finished.withLock { $0.files.append(result) }
            } catch let error as RushesError {
                throw failed(error, index, of: jobs)
            }
        }
    }

    private func failed(_ error: RushesError, _ index: Int, of jobs: [ExportJob]) -> RushesError {
        guard jobs.count > 1 else { return error }
        var failure = error
        let name = jobs[index].destination.path.lastComponent?.string ?? jobs[index].destination.path.displayName
        failure.description = "Part \(index + 1) of \(jobs.count), \(name), failed: \(error.description)"
        let complete = finished.withLock { $0.complete }
        if let complete {
            let isEnded = [".", "!", "?"].contains { error.description.hasSuffix($0) }
            failure.description += (isEnded ? " " : ". ") + complete
            // What was asked for was right for those.
            if error.code == .invalidSettings { failure.code = .badInput }
        }
        return failure
    }

    // MARK: Before anything is written

    /// Looks at all that can be known: the settings, the parts and every name.
    ///
    /// - Returns: the exports, and how much of the work is done before they begin.
    private func opened() async throws -> (jobs: [ExportJob], share: Double) {
        if SubtitleFormat(destination.path) != nil {
            throw RushesError(
                .invalidSettings,
                "\(destination.path.displayName) holds subtitles alone, which are not separated; name the file .mov, .mp4 or .mkv."
            )
        }
        let container = try destination.container()
        let files = try PipelineFiles.find()
        let target = try ExportTarget(settings, container: container, files: files)
        var movie = try await onOwnThread("rushes-input") { try MovieInput(InputFile(path)) }
        if choices.contains(where: \.isWhole) { movie = await movie.measured() }
        let (input, copiesFrames) = (movie, target.video == .copy && container.holdsVideo)
        if copiesFrames, movie.properties.container.isTransport {
            throw RushesError(
                .invalidSettings,
                "\(movie.displayName) has no index by which parts could be copied; copy all of it to Matroska and the parts from there, or "
                    + "choose another \(Term.preset).")
        }
        let parts = try await onOwnThread("rushes-parts") {
            let grid = input.file.flatMap { FrameGrid($0, input.properties, findsKeyFrames: copiesFrames) }
            for case .range(let range) in choices { try input.properties.check(range, path, .part) }
            return try SeparateParts(choices, of: .init(input, grid: grid, copiesFrames: copiesFrames))
        }
        let jobs = try jobs(of: movie, parts)
        try await onOwnThread("rushes-places") { try check(jobs, of: input, target) }
        status.report(.opened)
        onOpened()
        finished.withLock { $0.notes = parts.notes + notes(on: movie, parts) }
        guard settings.cropsBlackBars == true else { return (jobs, 0) }
        // Files of one movie have one size, also where a part of it is dark.
        return (try await cropped(jobs, movie, target), LetterboxSearch.share)
    }

    private func jobs(of movie: MovieInput, _ parts: SeparateParts) throws(RushesError) -> [ExportJob] {
        var jobs: [ExportJob] = []
        for (index, part) in parts.parts.enumerated() {
            var settings = settings
            (settings.range, settings.parts) = (part.range, nil)
            settings.isContinued = part.isContinued ? true : nil
            jobs.append(
                ExportJob(
                    origin: PartOrigin(movie, at: path, part), settings: settings,
                    destination: try destination.separate(index + 1, of: parts.parts.count, title: part.title),
                    thumbnail: thumbnail, status: status, minimumFreeSpace: minimumFreeSpace, part: part))
        }
        return jobs
    }

    /// Blocks.
    private func check(_ jobs: [ExportJob], of movie: MovieInput, _ target: ExportTarget) throws(RushesError) {
        for job in jobs { try job.checkOutputs() }
        guard let needed = size(of: jobs, movie, target) else { return }
        try destination.checkSpace(needed + (minimumFreeSpace ?? 0))
    }

    /// Bytes of all files, where that is known well enough to go by; nil elsewhere.
    private func size(of jobs: [ExportJob], _ movie: MovieInput, _ target: ExportTarget) -> Int64? {
        if let size = settings.targetSize { return min(size, .max / 2 / Int64(jobs.count)) * Int64(jobs.count) }
        guard let file = movie.file, let whole = movie.properties.duration, whole > .zero, target.video == .copy,
            target.copiesAudio, target.container.holdsVideo
        else { return nil }
        let length = jobs.reduce(MediaTime.zero) { $0 + self.length(of: $1, whole) }
        return Int64(Double(file.size) * (length / whole))
    }

    private func cropped(_ jobs: [ExportJob], _ movie: MovieInput, _ target: ExportTarget) async throws -> [ExportJob] {
        var target = target
        target.settings.parts = jobs.compactMap(\.settings.range)
        let context = ExportContext(
            input: movie, settings: settings, destination: destination,
            output: TemporaryOutput(for: destination), status: status)
        let found = try await LetterboxSearch(context: context, target: target).run()
        finished.withLock { $0.notes.append(found.note) }
        return jobs.map { job in
            var settings = job.settings
            (settings.crop, settings.cropsBlackBars) = (found.crop, nil)
            var job = job
            job.settings = settings
            return job
        }
    }

    private func notes(on movie: MovieInput, _ parts: SeparateParts) -> [String] {
        guard parts.parts.count > 2, !movie.properties.isSeekable else { return [] }
        let cure =
            movie.properties.container.isTransport ? "; a copy of all of it in Matroska is faster to take apart" : ""
        return ["\(movie.displayName) has no index, so each part is read from the beginning\(cure)."]
    }

    // MARK: Progress

    private func length(of job: ExportJob, _ whole: MediaTime?) -> MediaTime {
        let range = job.settings.range ?? TimeRange()
        return max(.zero, (range.end ?? whole ?? range.start) - range.start)
    }

    private func weights(of jobs: [ExportJob]) -> [Double] {
        guard let duration = duration(of: jobs), duration > .zero else {
            return jobs.map { _ in 1 / Double(jobs.count) }
        }
        return jobs.map { length(of: $0, $0.part?.end) / duration }
    }

    /// How long all files will be; nil where nobody knows.
    private func duration(of jobs: [ExportJob]) -> MediaTime? {
        let isKnown = jobs.allSatisfy { ($0.settings.range?.end ?? $0.part?.end) != nil }
        return isKnown ? jobs.reduce(.zero) { $0 + length(of: $1, $1.part?.end) } : nil
    }
}
