import Encoding
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// One export from its beginning to its end.
struct ExportJob: Sendable {
    let context: ExportContext

    var input: FilePath { context.input }
    var settings: ExportSettings { context.settings }
    var destination: MovieDestination { context.destination }
    var meter: ExportStatus { context.meter }

    func run() async throws -> ExportResult {
        let container = try destination.container()
        let files = try PipelineFiles.find()
        let target = try ExportTarget(settings, container: container, files: files)
        // Disks may take their time to say what is there.
        let opened = try await onOwnThread("rushes-facts") {
            // Once: what is looked at is what is exported, whatever gets its name meanwhile.
            let opened = Result { try InputFile(input) }
            // Before what is said of a name that is taken: --overwrite would be no cure.
            if let file = try? opened.get(), isSame(file) {
                throw ExportError(.unsuitable, "\(input.displayName) is the input itself; name another file.")
            }
            try destination.check()
            return opened
        }
        let program = try await settings.targetQuality.asyncMap { try await MetricProgram.find($0.metric) }
        let file = try opened.get()
        let facts = try await onOwnThread("rushes-facts") { try InputProperties(file) }
        try facts.check(settings.range, input)
        // What is refused before has never been under way.
        meter.change { $0.phase = .opening }
        let planner = ExportPlanner(target: target, facts: facts, tables: try EncoderTables(files))
        let output = TemporaryOutput(for: destination)
        var setbacks = RetryReasons()
        var notes: [String] = []
        do {
            var written =
                if let copied = try await copy(planner, files, file, output, &setbacks, &notes) {
                    copied
                } else if let size = settings.targetSize {
                    try await write(planner, size: size, file, output, &setbacks, &notes)
                } else if let goal = settings.targetQuality, let program {
                    try await write(planner, goal, program, file, output, &setbacks, &notes)
                } else {
                    try await write(planner, file, output, &setbacks)
                }
            try await complete(pipelines: &written, planner, file, output)
            return try await complete(written, file, output, setbacks.notes + notes + written.notes)
        } catch {
            output.remove()
            // Whatever broke as it was stopped, it was stopped.
            if Task.isCancelled { throw CancellationError() }
            if settings.range != nil, (error as? MovieEncodingError)?.code == .nothingRecorded {
                let what = facts.movie?.video.isEmpty == false ? "No frame" : "Nothing"
                throw ExportError(
                    .unsuitable, "\(what) in \(input.displayName) begins in the part; choose a longer one.")
            }
            throw error
        }
    }

    func write(
        _ planner: ExportPlanner, _ file: InputFile, _ output: TemporaryOutput, _ setbacks: inout RetryReasons
    ) async throws -> EncodingRun.Written {
        let attempt = EncodingRun(context: context, file: file, planner: planner, output: output)
        return try await context.repeating(output, &setbacks) { try await attempt.run(without: $0) }
    }

    /// Copies the samples as bytes, where that is all there is to do, or a part that lies between two key frames.
    ///
    /// - Returns: nil where a pipeline has to carry them.
    private func copy(
        _ planner: ExportPlanner, _ files: PipelineFiles, _ file: InputFile, _ output: TemporaryOutput,
        _ setbacks: inout RetryReasons, _ notes: inout [String]
    ) async throws -> EncodingRun.Written? {
        guard let remux = MovieRemux(context, planner.target, planner.facts) else {
            return try await MatroskaRemux(context, planner.target, planner.facts)?.run(file, to: output)
        }
        guard let opened = try await remux.open(file) else { return nil }
        guard let anew = remux.settingsInsideGroup(opened) else {
            return try await remux.run(opened, file, to: output, &notes)
        }
        do {
            var planner = planner
            planner.target = try ExportTarget(anew, container: planner.target.container, files: files)
            let job = ExportJob(
                context: ExportContext(
                    input: input, settings: anew, destination: destination, thumbnail: context.thumbnail, meter: meter))
            let written = try await job.write(planner, file, output, &setbacks)
            notes.append("The part lies between two key frames, so its frames are encoded anew.")
            return written
        } catch let error as MovieEncodingError {
            // Without an encoder, and at the movie's end, where no frame begins any more, an edit shows what there is.
            if error.code == .encoderMissing { notes.append("\(error).") }
            output.empty()
            return try await remux.run(opened, file, to: output, &notes)
        }
    }

    /// Writes the file with the quality that is found to be like enough to the input.
    private func write(
        _ planner: ExportPlanner, _ goal: TargetQuality, _ program: MetricProgram, _ file: InputFile,
        _ output: TemporaryOutput, _ setbacks: inout RetryReasons, _ notes: inout [String]
    ) async throws -> EncodingRun.Written {
        // With another encoder its qualities are others, so they are looked for again.
        let (written, words) = try await context.repeating(output, &setbacks) { setbacks in
            let found = try await QualityFinder(
                context: context, file: file, planner: planner, goal: goal, program: program,
                folder: destination.folder,
                setbacks: setbacks
            ).run()
            var planner = planner
            planner.target.control = found.control
            let attempt = EncodingRun(context: context, file: file, planner: planner, output: output)
            return (try await attempt.run(without: setbacks), found.words)
        }
        notes.append(words)
        return written
    }

    /// Checks the file and gives it its name.
    private func complete(
        _ written: EncodingRun.Written, _ file: InputFile, _ output: TemporaryOutput, _ notes: [String]
    ) async throws -> ExportResult {
        if settings.fastStart, try destination.container().isMovieFile {
            try await onOwnThread("rushes-front") {
                try output.replace { try MovieEditing.moveIndexToFront(of: $0, writingTo: $1) }
            }
        }
        // From here on nothing is written to it any more.
        meter.change { $0.progress.phase = .verifying }
        try await OutputCheck(
            path: try output.file().path, expected: written.expected, level: settings.verification, meter: meter
        ).run()
        try Task.checkCancellation()
        let size = try output.size()
        try await onOwnThread("rushes-commit") {
            FileTimes.copy(from: file, to: try output.file().path)
            try output.commit()
        }
        meter.change { state in
            state.progress.fraction = 1
            state.progress.bytesWritten = size
        }
        var result = ExportResult(
            path: destination.path, size: size, duration: written.expected.duration,
            frames: written.expected.frames ?? 0, notes: notes)
        result.copiesFrames = written.copiesFrames
        return result
    }

    private func isSame(_ file: InputFile) -> Bool {
        var (one, other) = (stat(), stat())
        return destination.path.withPlatformString { stat($0, &one) } == 0 && stat(file.location, &other) == 0
            && one.st_ino == other.st_ino && one.st_dev == other.st_dev
    }
}

enum FileTimes {
    /// Gives a file the times of another: those who sort by them want the day of the recording.
    static func copy(from file: InputFile, to path: FilePath) {
        let times = [file.accessed, file.modified]
        _ = path.withPlatformString { utimensat(AT_FDCWD, $0, times, 0) }
    }
}
