import Encoding
import Errors
import FileSystem
import Foundation
import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// One export from its beginning to its end: opens the input, lets a strategy write the file, and has that completed.
struct ExportJob: Sendable {
    let origin: any ExportOrigin
    var settings: ExportSettings
    let destination: MovieDestination
    let thumbnail: FilePath?
    let status: ExportStatus
    /// Bytes that have to be free before it begins; as many as usual if left out.
    var minimumFreeSpace: Int64?
    /// Of several files, which of them this is.
    var part: SeparateParts.Part?
    /// Called once the request is accepted and before anything is read of the input's streams.
    var onOpened: @Sendable () -> Void = {}

    /// - Throws: ``RushesError`` that names the input where it names nothing else; `CancellationError`.
    func run() async throws -> ExportResult {
        try await Self.naming(origin.path) {
            do {
                return try await export()
            } catch let error as MovieFileError {
                guard case .noSpace(_, let isQuota) = error else { throw error }
                let why = isQuota ? "The quota of the disk is used up" : "The disk is full"
                throw RushesError(
                    .diskFull, on: origin.path.string,
                    "\(why), so \(destination.path.displayName) is not whole and was not kept; free some space and export again.",
                    underlying: error)
            }
        }
    }

    /// - Throws: ``RushesError`` that names the input where it names nothing else; `CancellationError`.
    static func naming<Value>(_ input: FilePath, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as RushesError {
            throw error.on(input.string)
        } catch let error as MovieFileError {
            throw RushesError(error, on: input)
        } catch let error as GStreamerError {
            throw RushesError(
                error.isDiskFull ? .diskFull : .encoderFailed, on: input.string, error.description, underlying: error)
        } catch { throw RushesError.published(error, as: .encoderFailed, on: input.string) }
    }

    /// What a copy has to take before a frame of it is decoded for those who watch: one of a second ago is no longer looked at, and would be
    /// longer by a part.
    private static let worthFrame = Duration.seconds(1)

    private func export() async throws -> ExportResult {
        let began = ContinuousClock.now
        if let format = SubtitleFormat(destination.path) {
            return try await SubtitleExport(job: self, format: format).run()
        }
        let container = try destination.container()
        let files = try PipelineFiles.find()
        var target = try ExportTarget(settings, container: container, files: files)
        let image = try await settings.image.asyncMap { [settings] path in
            try await onOwnThread("rushes-still") { try StillImage(path, size: settings.stillSize) }
        }
        target.image = image
        // Disks may take their time to say what is there.
        let opened = try await onOwnThread("rushes-input") {
            // Once: what is looked at is what is exported, whatever gets its name meanwhile.
            let opened = Result { try origin.open() }
            try checkOutputs()
            return opened
        }
        let metric = try await settings.targetQuality.asyncMap { try await MetricProgram.find($0.metric) }
        let read = try opened.get()
        let found = try await onOwnThread("rushes-input") { try read() }
        let properties = found.properties
        let settings = try properties.settled(settings, origin.path)
        target.settings = settings
        let parts = try await parts(of: found)
        target.tracks = try await onOwnThread("rushes-tracks") {
            try ChosenTracks(settings, found.file, properties, of: found.displayName)
        }
        if let choice = settings.burntSubtitles {
            let subtitles = try await onOwnThread("rushes-subtitles") {
                try BurntSubtitles(choice, found.file, properties, of: found.displayName)
            }
            if let place = subtitles.place { target.tracks.leaveOut(subtitle: place, of: subtitles.trackCount) }
            target.burntSubtitles = subtitles
        }
        let subtitles = try await onOwnThread("rushes-subtitles") {
            try (settings.addedSubtitles ?? []).read(for: origin.path, in: container)
        }
        target.addedSubtitles = subtitles.files
        let tables = try EncoderTables(files)
        var addedAudio: [AddedAudioInput] = []
        for added in settings.addedAudio ?? [] {
            addedAudio.append(try await AddedAudioInput(added, for: target, tables, destination, status))
        }
        // An export that is rejected during validation never becomes an activity.
        status.report(.opened)
        onOpened()
        let source = try await (parts ?? found).prepared(status)
        var planner = ExportPlanner(target: target, properties: source.properties.told(by: settings), tables: tables)
        let context = ExportContext(
            input: source, settings: settings, destination: destination, output: TemporaryOutput(for: destination),
            status: status, thumbnail: thumbnail)
        for note in source.notes + subtitles.notes { context.log.note(note) }
        do {
            if settings.loudness != nil, settings.audioTracks != TrackSelection.none {
                planner.target.gains = try await LoudnessMeasurement(context: context, planner: planner).gains()
                for note in notes(on: planner.target.gains) { context.log.note(note) }
            }
            if settings.cropsBlackBars == true {
                let found = try await LetterboxSearch(context: context, target: planner.target).run()
                planner.target.settings.crop = found.crop
                context.log.note(found.note)
            }
            let written = try await write(
                try planner.strategies(context, metric: metric, addedAudio: addedAudio))
            var result = try await OutputCompletion(
                context: context, target: planner.target, addedAudio: addedAudio, part: part
            ).complete(written)
            result.notes += try await onOwnThread("rushes-images") { source.writeImages() }
            let isLong = ContinuousClock.now - began > Self.worthFrame
            if let thumbnail, isLong, status.progress.thumbnail == nil, result.frames > 0, container.holdsVideo,
                await ImageGenerator.writeThumbnail(of: destination.path, to: thumbnail)
            {
                status.report(.thumbnailWritten(thumbnail))
            }
            return result
        } catch {
            context.output.remove()
            throw explained(error, properties)
        }
    }

    /// Blocks as long as the disks do.
    ///
    /// - Throws: ``RushesError`` if an output is an input or another output, or cannot be written.
    func checkOutputs() throws(RushesError) {
        let outputs = [destination] + origin.images
        for (index, output) in outputs.enumerated() {
            if let other = outputs[..<index].first(where: { $0.path.isPlace(of: output.path) }) {
                throw RushesError(
                    .invalidSettings, on: output.path.string,
                    "\(other.path.displayName) and \(output.path.displayName) are the same file; give each its own.")
            }
            // Before the check of a name that is taken: to replace it would be no cure.
            if let image = settings.image, image.isSameFile(as: output.path) {
                throw RushesError(
                    .invalidSettings, on: image.string,
                    "\(image.displayName) is the image itself; name another file.")
            }
            if let input = origin.inputs.first(where: { $0.isSameFile(as: output.path) }) {
                throw RushesError(
                    .invalidSettings, on: input.string, "\(input.displayName) is the input itself; name another file.")
            }
            try output.check(needing: minimumFreeSpace)
        }
    }

    private func write(_ strategies: [any ExportStrategy]) async throws -> WrittenMovie {
        for strategy in strategies {
            if let written = try await strategy.write() { return written }
        }
        throw RushesError(.encoderFailed, "\(destination.path.displayName) cannot be made from this input.")
    }

    /// - Returns: nil where not several parts are wanted.
    private func parts(of input: any ExportInput) async throws -> PartsInput? {
        guard let parts = settings.parts, let movie = input as? MovieInput else { return nil }
        return try await onOwnThread("rushes-parts") { try PartsInput(movie, parts) }
    }

    private func notes(on gains: [LoudnessGain]) -> [String] {
        guard !gains.isEmpty else { return ["There is no audio whose loudness could be measured."] }
        return gains.enumerated().map { index, gain in gain.words(track: gains.count > 1 ? index + 1 : nil) }
    }

    private func explained(_ error: any Error, _ properties: InputProperties) -> any Error {
        // Whatever broke as it was stopped, it was stopped.
        if Task.isCancelled { return CancellationError() }
        guard settings.range != nil, (error as? RushesError)?.code == .nothingRecorded else { return error }
        let isAudio = (try? destination.container())?.holdsVideo == false
        let what = isAudio ? "No audio" : properties.movie?.video.isEmpty == false ? "No frame" : "Nothing"
        return RushesError(
            .invalidSettings, on: origin.path.string,
            "\(what) in \(origin.path.displayName) begins in the part; choose a longer one.")
    }
}

extension FilePath {
    /// Whether a file of that name would be this one, however both are written.
    fileprivate func isPlace(of other: FilePath) -> Bool {
        guard absolute.lexicallyNormalized() != other.absolute.lexicallyNormalized() else { return true }
        guard lastComponent == other.lastComponent else { return false }
        return absolute.removingLastComponent().isSameFile(as: other.absolute.removingLastComponent())
    }
}
