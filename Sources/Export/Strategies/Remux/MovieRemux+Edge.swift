import Encoding
import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// The frames of a copied part before its first key frame, encoded anew, so that none from before the part is in the file.
extension MovieRemux {
    /// What an encoder made of them, and the file that it lies in.
    struct Edge: Sendable {
        var beginning: EncodedBeginning
        var storage: UnnamedFile
    }

    /// About CRF 10: what was lost already is kept as it is, and nobody sees where the copied frames begin.
    private static let quality = 95

    /// - Parameter notes: Gets the reason where no encoder is there.
    /// - Returns: nil where the part begins with a key frame, and where its beginning cannot be encoded so that it fits.
    func encodeEdge(
        _ opened: Opened, _ file: InputFile, _ output: TemporaryOutput, _ notes: inout [String]
    ) async throws -> Edge? {
        guard let wanted = opened.copy.beginning else { return nil }
        do {
            guard let attempt = try edgeAttempt(opened, file, output) else { return nil }
            return try await encode(attempt, wanted, opened.original)
        } catch let error as MovieEncodingError where error.code == .encoderMissing {
            notes.append("\(error).")
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // An edit hides as well what could not be encoded or does not fit.
            output.empty()
            if Task.isCancelled || context.meter.isStopped { throw CancellationError() }
        }
        return nil
    }

    /// How a part is exported that no GOP lies in whole: its frames are encoded anew, its audio is copied.
    ///
    /// - Returns: nil for any other.
    func settingsInsideGroup(_ opened: Opened) -> ExportSettings? {
        guard opened.copy.isInsideGroup, let frame = facts.movie?.video.first else { return nil }
        return like(frame, target.settings)
    }

    /// What is asked of the encoder: frames like those of the input.
    private func like(_ frame: MovieInfo.Video, _ settings: ExportSettings) -> ExportSettings? {
        var settings = settings
        switch frame.codec {
        case "h264": settings.videoCodec = .h264
        case "hevc": settings.videoCodec = .hevc
        default: return nil
        }
        guard let depth = frame.bitDepth, depth == 8 || depth == 10,
            let chroma = frame.chroma.flatMap(ChromaSubsampling.init(rawValue:))
        else { return nil }
        settings.preset = frame.codec
        settings.rateControl = .quality(Self.quality)
        (settings.bitDepth, settings.chroma) = (depth, .exactly(chroma))
        settings.deinterlacing = .never
        settings.audio = .copy
        settings.reencodes = true
        return settings
    }

    /// The same for frames that stand before copied ones.
    private func edge(_ wanted: MovieCopy.Beginning, _ frame: MovieInfo.Video) -> ExportSettings? {
        guard var settings = like(frame, ExportSettings(preset: frame.codec)) else { return nil }
        settings.audio = .codec(.none)
        settings.range = TimeRange(
            start: Nanoseconds(seconds: wanted.timeRange.lowerBound),
            end: Nanoseconds(seconds: wanted.timeRange.upperBound))
        return settings
    }

    /// How the part's beginning is encoded: as any export is.
    ///
    /// - Returns: nil where there is none, or frames like the input's cannot be made.
    func edgeAttempt(_ opened: Opened, _ file: InputFile, _ output: TemporaryOutput) throws -> EncodingRun? {
        guard let wanted = opened.copy.beginning, let frame = facts.movie?.video.first,
            let settings = edge(wanted, frame)
        else { return nil }
        let files = try PipelineFiles.find()
        var target = try ExportTarget(settings, container: self.target.container, files: files)
        target.edge = ExportTarget.Edge(firstFrame: Nanoseconds(seconds: wanted.firstTime))
        target.speed = nil
        let edgeContext = ExportContext(
            input: context.input, settings: settings, destination: context.destination, thumbnail: nil,
            meter: context.meter)
        let planner = ExportPlanner(target: target, facts: facts, tables: try EncoderTables(files))
        return EncodingRun(context: edgeContext, file: file, planner: planner, output: output)
    }

    /// Encodes the beginning, and hands it over without its file's name.
    private func encode(
        _ attempt: EncodingRun, _ wanted: MovieCopy.Beginning, _ original: MovieOriginal
    ) async throws -> Edge? {
        var setbacks = RetryReasons()
        // A few frames are not worth the ways of a driver, which may reorder them.
        _ = setbacks.insert(RetryReason(part: .hardwareEncoder))
        let output = attempt.output
        _ = try await attempt.context.repeating(output, &setbacks) { try await attempt.run(without: $0) }
        context.meter.change { state in
            state.progress = ExportProgress()
            state.phase = .exporting
        }
        let storage = try UnnamedFile(in: context.destination.folder)
        let beginning = try await onOwnThread("rushes-edge") {
            let encoded = try MovieOriginal(try output.file().path, isOwn: true)
            let beginning = try EncodedBeginning(encoded, before: original, storage: storage.descriptor)
            output.empty()
            return beginning
        }
        return beginning.count == wanted.frameCount ? Edge(beginning: beginning, storage: storage) : nil
    }
}
