import Encoding
import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// The pictures of a copied part before its first key frame, encoded anew, so that none from before the part is in the file.
extension MovieRemux {
    /// What an encoder made of them, and the file that it lies in.
    struct Edge: Sendable {
        var beginning: EncodedBeginning
        var storage: UnnamedFile
    }

    /// About CRF 10: what was lost already is kept as it is, and nobody sees where the copied pictures begin.
    private static let quality = 95

    /// - Parameter notes: Gets the reason where no encoder is there.
    /// - Returns: nil where the part begins with a key frame, and where its beginning cannot be encoded so that it fits.
    func encodeEdge(
        _ options: MovieCopy.Options, _ file: InputFile, _ output: TemporaryOutput, _ notes: inout [String]
    ) async throws -> Edge? {
        guard options.timeRange != nil else { return nil }
        let path = file.path
        let wanted = try await onOwnThread("rushes-edge") {
            try Self.withFile(path) { try MovieCopy(of: $0, options: options).beginning }
        }
        guard let wanted, let picture = facts.movie?.video.first, let edge = edge(wanted, picture) else { return nil }
        do {
            return try await encode(edge, wanted, file, output)
        } catch let error as EncodingError where error.code == .encoderMissing {
            notes.append("\(error).")
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // An edit hides as well what could not be encoded or does not fit.
            output.remove()
            if Task.isCancelled || job.meter.isStopped { throw CancellationError() }
        }
        return nil
    }

    /// How a part is exported that no group of pictures lies in whole: its pictures are encoded anew, its sound is copied.
    ///
    /// - Returns: nil for any other.
    func settingsInsideGroup(_ file: InputFile) async throws -> ExportSettings? {
        let options = try copyOptions()
        guard options.timeRange != nil, let picture = facts.movie?.video.first else { return nil }
        let path = file.path
        let isInside = try await onOwnThread("rushes-edge") {
            try Self.withFile(path) { try MovieCopy(of: $0, options: options).isInsideGroup }
        }
        return isInside ? like(picture, target.settings) : nil
    }

    /// What is asked of the encoder: pictures like those of the input.
    private func like(_ picture: MovieInfo.Video, _ settings: ExportSettings) -> ExportSettings? {
        var settings = settings
        switch picture.codec {
        case "h264": settings.videoCodec = .h264
        case "hevc": settings.videoCodec = .hevc
        default: return nil
        }
        guard let depth = picture.bitDepth, depth == 8 || depth == 10,
            let chroma = picture.chroma.flatMap(ChromaSubsampling.init(rawValue:))
        else { return nil }
        settings.preset = picture.codec
        settings.rateControl = .quality(Self.quality)
        (settings.bitDepth, settings.chroma) = (depth, .exactly(chroma))
        settings.deinterlacing = .never
        settings.audio = .copy
        settings.reencodes = true
        return settings
    }

    /// The same for pictures that stand before copied ones.
    private func edge(_ wanted: MovieCopy.Beginning, _ picture: MovieInfo.Video) -> ExportSettings? {
        guard var settings = like(picture, ExportSettings(preset: picture.codec)) else { return nil }
        settings.audio = .codec(.none)
        settings.range = TimeRange(
            start: Nanoseconds(seconds: wanted.timeRange.lowerBound),
            end: Nanoseconds(seconds: wanted.timeRange.upperBound))
        return settings
    }

    /// Encodes them as any export does, and hands them over without their file's name.
    private func encode(
        _ settings: ExportSettings, _ wanted: MovieCopy.Beginning, _ file: InputFile, _ output: TemporaryOutput
    ) async throws -> Edge? {
        let files = try PipelineFiles.find()
        var target = try ExportTarget(settings, container: self.target.container, files: files)
        target.edge = ExportTarget.Edge(firstPicture: Nanoseconds(seconds: wanted.firstTime))
        target.speed = nil
        let edgeJob = ExportJob(
            input: job.input, settings: settings, destination: job.destination, thumbnail: nil, meter: job.meter)
        let planner = ExportPlanner(target: target, facts: facts, tables: try EncoderTables(files))
        let attempt = ExportAttempt(job: edgeJob, file: file, planner: planner, output: output)
        var setbacks = Setbacks()
        // A few pictures are not worth the ways of a driver, which may reorder them.
        _ = setbacks.insert(Setback(part: .hardwareEncoder))
        _ = try await edgeJob.repeating(output, &setbacks) { try await attempt.run(without: $0) }
        job.meter.change { state in
            state.progress = ExportProgress()
            state.phase = .exporting
        }
        let (path, original) = (output.path, file.path)
        let storage = try UnnamedFile(in: job.destination.folder)
        let beginning = try await onOwnThread("rushes-edge") {
            let beginning = try Self.withFile(path) { encoded in
                try Self.withFile(original) { try EncodedBeginning(encoded, before: $0, storage: storage.descriptor) }
            }
            output.remove()
            return beginning
        }
        return beginning.count == wanted.pictureCount ? Edge(beginning: beginning, storage: storage) : nil
    }

    private static func withFile<Value>(_ path: FilePath, _ body: (FileDescriptor) throws -> Value) throws -> Value {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        defer { try? file.close() }
        return try body(file)
    }
}
