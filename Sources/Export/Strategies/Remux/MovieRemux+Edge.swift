import Encoding
import Errors
import FileSystem
import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// The frames of a copied part before its first key frame, encoded again, so that none from before the part is in the file.
extension MovieRemux {
    /// What an encoder made of them, and the file that it lies in.
    struct Edge: Sendable {
        var beginning: EncodedBeginning
        var storage: UnnamedFile
    }

    /// About CRF 10: what was lost already is kept as it is, and nobody sees where the copied frames begin.
    private static let quality = 95

    /// Where no encoder is there, a note says so.
    ///
    /// - Returns: nil where the part begins with a key frame, and where its beginning cannot be encoded so that it fits.
    func encodeEdge(_ opened: Opened) async throws -> Edge? {
        guard let wanted = opened.copy.beginning else { return nil }
        do {
            guard let run = try edgeRun(opened) else { return nil }
            return try await encode(run, wanted, opened.original)
        } catch let error as RushesError where error.code == .encoderMissing {
            context.log.note("\(error).")
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // An edit hides as well what could not be encoded or does not fit.
            context.output.empty()
            if Task.isCancelled || context.status.isStopped { throw CancellationError() }
        }
        return nil
    }

    /// How a part is exported that no GOP lies in whole: its frames are encoded again, its audio is copied.
    ///
    /// - Returns: nil for any other.
    func settingsInsideGroup(_ opened: Opened) -> ExportSettings? {
        guard opened.copy.isWithinOneGOP, opened.copy.videoTrackCount == 1, let frame = properties.movie?.video.first
        else { return nil }
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
            start: wanted.timeRange.lowerBound, end: wanted.timeRange.upperBound)
        return settings
    }

    /// How the part's beginning is encoded: as any export is.
    ///
    /// - Returns: nil where there is none, frames like the input's cannot be made, or there are several video tracks, whose beginnings edits
    ///   hide.
    func edgeRun(_ opened: Opened) throws -> EncodingRun? {
        guard let wanted = opened.copy.beginning, opened.copy.videoTrackCount == 1,
            let frame = properties.movie?.video.first,
            let settings = edge(wanted, frame)
        else { return nil }
        var planner = try self.planner.planning(settings)
        planner.target.edge = ExportTarget.Edge(firstFrame: wanted.firstTime)
        planner.target.speed = nil
        // A few frames are not worth the ways of a driver, which may reorder them.
        return EncodingRun(
            context: context.unwatched(without: [RetryReason(part: .hardwareEncoder)]), planner: planner)
    }

    /// Encodes the beginning, and hands it over without its file's name.
    private func encode(
        _ run: EncodingRun, _ wanted: MovieCopy.Beginning, _ original: MovieOriginal
    ) async throws -> Edge? {
        _ = try await run.runRetrying()
        let output = context.output
        let storage = try UnnamedFile(forExportIn: context.destination.folder)
        let beginning = try await onOwnThread("rushes-edge") {
            let encoded = try MovieOriginal(try output.file().path, isOwn: true)
            let beginning = try EncodedBeginning(encoded, before: original, storage: storage.descriptor)
            output.empty()
            return beginning
        }
        return beginning.count == wanted.frameCount ? Edge(beginning: beginning, storage: storage) : nil
    }
}
