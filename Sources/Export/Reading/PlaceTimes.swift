import GStreamer
import MovieFiles
import Threads

/// Gives the pictures of an AVI file the times at which they are decoded, as all players do.
///
/// AVI has no presentation times, only numbers, in the order of decoding. Where pictures are reordered GStreamer's decoders
/// (1.22) take those for presentation times, so that some pictures come at once and others late. A decoder that reorders by
/// one picture gives its first when the second chunk goes in, and from then on one for each; so a picture's time is that of
/// the chunk that brings it out. That holds for packed streams too, whose chunks hold two pictures and then none, as the
/// container's chunks are counted and not what a parser makes of them.
final class PlaceTimes: Sendable {
    private struct State {
        /// Of chunks that have not brought out a picture yet.
        var waiting: [Nanoseconds] = []
        /// By how many pictures the decoder is behind.
        var delay: Int?
        var hasBegun = false
        var last: Nanoseconds = 0
        var step: Nanoseconds = 0
    }

    private let state = Locked(State())

    /// - Parameter pad: the demuxer's output.
    func read(_ pad: Pad) {
        let state = state
        _ = pad.addBufferProbe { buffer in
            guard let time = buffer.decodeTime ?? buffer.presentationTime else { return .pass }
            state.withLock { state in
                // The beginning, and what follows a seek.
                if buffer.isDiscontinuity { (state.waiting, state.hasBegun) = ([], false) }
                if state.delay == nil {
                    let bytes = try? buffer.withBytes { Array($0.prefix(4096)) }
                    state.delay = bytes.flatMap(ReorderDelay.pictures)
                }
                state.waiting.append(time)
                state.step = buffer.duration ?? state.step
            }
            return .pass
        }
    }

    /// - Parameter pad: the decoder's output.
    func write(_ pad: Pad) {
        let state = state
        _ = pad.addBufferEditor { buffer in
            let time = state.withLock { state in
                if !state.hasBegun { state.waiting.removeFirst(min(state.delay ?? 0, state.waiting.count)) }
                state.hasBegun = true
                // What comes out at the end, when nothing more goes in.
                state.last = state.waiting.isEmpty ? state.last + state.step : state.waiting.removeFirst()
                return state.last
            }
            buffer = buffer.retimed(presentationTime: time, duration: buffer.duration)
        }
    }
}
