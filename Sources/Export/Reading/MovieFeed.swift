import Errors
import GStreamer
import MovieFiles
import Threads

/// Hands a movie that is made as it is read to a pipeline, as fast as that takes it.
final class MovieFeed: Sendable {
    /// Encoded bytes that may wait: some of the largest frames.
    private static let waitingBytes = 8 << 20

    /// What the pipeline begins with.
    static var node: PipelineDescription.Node {
        .make(
            "appsrc", name: "movie",
            [
                "format": "bytes", "block": true, "max-bytes": .int(waitingBytes),
                "caps": .caps(Caps("video/quicktime", [:])),
            ])
    }

    private let movie: SparseMovie
    private let source: AppSource
    private let fault = Locked<GStreamerError?>(nil)

    /// - Throws: ``GStreamerError`` if the pipeline has no ``node``.
    init(_ movie: SparseMovie, _ bin: Bin) throws(GStreamerError) {
        guard let element = bin.element(named: "movie") else {
            throw GStreamerError(element: "appsrc", message: "it is gone")
        }
        (self.movie, source) = (movie, try AppSource(element))
    }

    /// What kept the file from being read.
    var failure: GStreamerError? { fault.withLock { $0 } }

    /// Hands out all of it on a thread of its own, until the pipeline stops.
    func start() {
        let hasBegun = OwnThread.run("rushes-feed") { [movie, source, fault] in
            do throws(MovieFileError) {
                try movie.forEachPiece { bytes in
                    bytes.withUnsafeBytes {
                        source.push(Buffer(copying: $0, presentationTime: nil, duration: nil))
                    }
                }
            } catch {
                fault.withLock { $0 = GStreamerError(element: "movie", message: "\(error)") }
            }
            source.endOfStream()
        }
        guard !hasBegun else { return }
        fault.withLock { $0 = GStreamerError(element: "movie", message: "\(ThreadShortage())") }
        source.endOfStream()
    }
}
