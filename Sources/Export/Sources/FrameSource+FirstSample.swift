import Errors
import Foundation
import GStreamer
import MediaTypes
import Threads

extension FrameSource {
    /// Waits for the first sample of a track: only that says what a decoder really gives. Ends with the task.
    ///
    /// - Returns: `nil` for a track without any sample.
    /// - Throws: what went wrong with the source; ``RushesError`` where nothing comes in time; `CancellationError`.
    func firstSample(of track: MediaReader.Track) async throws -> Sample? {
        let isCancelled = Locked(false)
        return try await withTaskCancellationHandler {
            try await onOwnThread("rushes-first") { try wait(for: track) { isCancelled.withLock { $0 } } }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    /// The next sample of a track that has come already; nil: none has.
    func waitingSample(of track: MediaReader.Track) -> Sample? {
        while case .sample(let sample) = track.sink.pull(within: .zero) {
            if !track.isHeader(sample) { return sample }
        }
        return nil
    }

    private func wait(for track: MediaReader.Track, isCancelled: () -> Bool) throws -> Sample? {
        // A decoder of frames may have to read far before it gives one.
        let limit = TimeLimit(.seconds(hasVideo ? 60 : 20))
        while !limit.isOver {
            if isCancelled() { throw CancellationError() }
            if let failure { throw failure }
            switch track.sink.pull(within: .milliseconds(100)) {
            case .sample(let sample) where track.isHeader(sample): continue
            case .sample(let sample): return sample
            case .end:
                if let failure { throw failure }
                return nil
            case .nothing: continue
            }
        }
        throw RushesError(
            .stalled, "No \(track.stream.kind == .video ? "video" : "audio") came out of the decoder in time.")
    }
}

extension MediaReader.Track {
    /// Whether it is a copied stream's head, which its caps tell as well: it has no time, and the stream does not begin with it.
    fileprivate func isHeader(_ sample: Sample) -> Bool {
        isCopied && sample.buffer?.presentationTime == nil
            && ["audio/x-vorbis", "video/x-theora"].contains((sample.caps ?? stream.caps).first?.name)
    }
}
