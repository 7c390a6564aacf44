import Errors
import GStreamer
import MediaDecoding
import Photos
import SystemPackage
import Threads

/// Decodes images with whatever GStreamer has for them.
enum StillReader {
    /// The one frame of a file, in the format of photos. Blocks; for threads of one's own.
    ///
    /// - Throws: ``RushesError`` with what is wrong with the file.
    static func frame(of photo: PhotoFile) throws -> Sample {
        let (result, isDone) = (Locked<Result<Sample, any Error>?>(nil), AsyncSignal())
        Task {
            do {
                let isWhole = [.tiff, .deepPNG].contains(photo.kind)
                let sample = isWhole ? try await readWhole(photo.path) : try await read(photo)
                result.withLock { $0 = .success(sample) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            isDone.fire()
        }
        guard isDone.waitOnThread(within: .seconds(60)), let frame = result.withLock({ $0 }) else {
            throw RushesError(.badInput, "it cannot be decoded")
        }
        return try frame.get()
    }

    /// How long one may take.
    private static let timeout = Duration.seconds(20)

    /// As photos have it.
    private static var format: Caps {
        get throws(GStreamerError) { try Caps("video/x-raw,format=I420,colorimetry=(string)1:4:7:1") }
    }

    /// By gdk-pixbuf: libav's decoder of TIFF, which GStreamer prefers, wants the whole file in one buffer, which nobody gives it, and
    /// pngdec (1.22) mixes up the colors of some.
    private static func readWhole(_ path: FilePath) async throws -> Sample {
        let file = try InputFile(path)
        let pipeline = try PipelineDescription([
            [
                .make("filesrc", ["location": .text(file.location)]), .make("gdkpixbufdec"), .make("videoconvert"),
                .make("capsfilter", ["caps": .caps(format)]),
                .make("appsink", name: "frames", ["sync": false, "enable-last-sample": false]),
            ]
        ]).build(name: "still")
        guard let end = pipeline.bin.element(named: "frames") else {
            throw GStreamerError(element: "still", message: "it is gone")
        }
        let sink = try AppSink(end)
        await pipeline.begin(.playing, within: timeout)
        let pulled = await onOwnThread("rushes-still", orAfter: timeout + .seconds(1), otherwise: .nothing) {
            sink.pull(within: timeout)
        }
        let failure = pipeline.bus.failure
        await pipeline.stop(within: .seconds(2))
        guard case .sample(let sample) = pulled else {
            throw failure ?? RushesError(.badInput, "it cannot be decoded")
        }
        return sample
    }

    private static func read(_ photo: PhotoFile) async throws -> Sample {
        let file = try InputFile(photo.path)
        var (filters, decoding) = (MediaReader.Filters(), MediaReader.Decoding())
        filters.format = try format
        if photo.kind == .film {
            decoding.decoded = DecodedMedia(reading: FilePath(file.location), named: photo.path)
            guard decoding.decoded != nil else {
                throw DecodedMedia.isAvailable
                    ? PhotoFailure.damaged("no frame of it can be decoded")
                    : PhotoFailure.noDecoder(kind: "DPX and OpenEXR", package: DecodedMedia.package)
            }
        }
        let reader = try MediaReader(file, filters: filters, decoding: decoding) {
            $0.kind == .video && $0.index == 0 ? .decode : .leaveOut
        }
        do {
            try await reader.open(within: timeout)
            guard let sink = reader.tracks.first?.sink else { throw RushesError(.badInput, "it is not an image") }
            let pulled = await onOwnThread("rushes-still", orAfter: timeout + .seconds(1), otherwise: .nothing) {
                sink.pull(within: timeout)
            }
            guard case .sample(let sample) = pulled else {
                throw reader.failure ?? RushesError(.badInput, "it cannot be decoded")
            }
            await reader.stop()
            return sample
        } catch {
            await reader.stop()
            throw InputFailure.explain(error, reader, file)
        }
    }
}
