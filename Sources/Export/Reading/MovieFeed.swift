import Errors
import GStreamer
import MediaDecoding
import Threads

/// Hands what is made or taken apart as it is read to a pipeline, as fast as that takes it.
final class MovieFeed: Sendable {
    /// Encoded bytes that may wait: some of the largest frames.
    static let waitingBytes = 8 << 20

    private let content: Content
    private let source: AppSource
    private let fault = Locked<GStreamerError?>(nil)

    /// - Throws: ``GStreamerError`` if the pipeline does not begin with the content's nodes.
    init(_ content: Content, _ bin: Bin) throws(GStreamerError) {
        guard let element = bin.element(named: content.name) else {
            throw GStreamerError(element: "appsrc", message: "it is gone")
        }
        (self.content, source) = (content, try AppSource(element))
        guard case .fetched(let size, let read) = content.kind else { return }
        source.serve(size: size) { [fault] offset, count in
            do throws(GStreamerError) { return try read(offset, count) } catch {
                fault.withLock { $0 = error }
                return nil
            }
        }
    }

    /// What kept the file from being read.
    var failure: GStreamerError? { fault.withLock { $0 } }

    /// What libavcodec has left out as damaged, so far.
    var damage: DecodedMedia.Damage { content.damage.withLock { $0 } }

    /// Hands out all of it on a thread of its own, until the pipeline stops. What is fetched, the pipeline fetches by itself.
    func start() {
        guard case .pushed(_, let handOut) = content.kind else { return }
        let hasBegun = OwnThread.run("rushes-feed") { [source, fault] in
            if let reason = handOut({ source.push($0) }) {
                fault.withLock { $0 = GStreamerError(element: "movie", message: reason) }
            }
            source.endOfStream()
        }
        guard !hasBegun else { return }
        fault.withLock { $0 = GStreamerError(element: "movie", message: "\(ThreadShortage())") }
        source.endOfStream()
    }
}
