import Encoding
import GStreamer
import MovieFiles
import SystemPackage
import Threads

/// QuickTime, MP4 and Matroska to Matroska and WebM where nothing is encoded and all of the movie is taken: by bytes, as
/// ``MovieRemux``.
struct MatroskaRemux: Sendable {
    let context: ExportContext
    let container: Container
    /// How the input's frame is to be turned.
    let orientation: MovieOrientation

    /// - Returns: `nil` where the work is more than that.
    init?(_ context: ExportContext, _ target: ExportTarget, _ facts: InputProperties) {
        guard target.container == .mkv || target.container == .webm, target.copiesMovie(facts),
            target.settings.range == nil
        else { return nil }
        (self.context, container, orientation) = (context, target.container, facts.orientation)
    }

    /// - Returns: nil where a pipeline has to carry the samples.
    func run(_ file: InputFile, to output: TemporaryOutput) async throws -> EncodingRun.Written? {
        let meter = context.meter
        meter.change { $0.phase = .exporting }
        let options = MatroskaCopy.Options(isWebM: container == .webm)
        let size = Double(max(1, file.size))
        let copy: MatroskaCopy? = try await onOwnThread("rushes-remux") {
            do {
                return try MatroskaCopy.copy(FilePath(file.location), to: try output.file(), options: options) {
                    written in
                    meter.change { state in
                        state.progress.bytesWritten = Int64(clamping: written)
                        state.progress.fraction = min(0.999, Double(written) / size)
                    }
                    return meter.mayGoOn()
                }
            } catch let error as MovieFileError where error.isRefusal {
                return nil
            }
        }
        guard let copy else { return nil }
        var expected = OutputCheck.Expected(
            audioTracks: copy.audioTrackCount, duration: .init(seconds: copy.duration))
        expected.frames = copy.frameCount
        expected.areBytesCopied = true
        return EncodingRun.Written(
            expected: expected, size: Int64(clamping: copy.fileSize),
            notes: ["All tracks are copied as they are."] + MovieRemux.ending(copy.isOriginalWhole) + turned
                + copy.omittedTracks.map(\.reason) + copy.omissions)
    }

    /// Whether the samples can be copied without a pipeline.
    func isPossible(_ file: InputFile) async throws -> Bool {
        let options = MatroskaCopy.Options(isWebM: container == .webm)
        return try await onOwnThread("rushes-index") {
            do {
                let opened = try FileDescriptor.open(FilePath(file.location), .readOnly, options: .closeOnExec)
                defer { try? opened.close() }
                _ = try MatroskaCopy(of: opened, options: options)
                return true
            } catch let error as MovieFileError where error.isRefusal {
                return false
            }
        }
    }

    private var turned: [String] {
        guard orientation != .upright else { return [] }
        return [
            "\(container.displayName) cannot tell players to rotate or mirror the video, so it is shown as it is stored; "
                + "keep it upright with .mov or .mp4, or by encoding it with --rotation apply."
        ]
    }
}

extension ExportTarget {
    /// Whether the whole of the movie's tracks is copied, and nothing done to any.
    func copiesMovie(_ facts: InputProperties) -> Bool {
        let isKnown = facts.movie.map { $0.video.count <= 1 } ?? (facts.container == .matroska)
        return isKnown && video == .copy && audio == nil && settings.channels == nil && settings.rotation == .keep
            && settings.size == nil && settings.crop == nil && settings.rate == nil
    }
}
