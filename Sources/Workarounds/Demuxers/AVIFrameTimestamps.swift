package import GStreamer
import Threads

/// GStreamer 1.22, avidemux: goes with the version in which no two frames that are decoded of it have the same time; `WorkaroundTests` “avidemux and decoders, times of frames that are reordered”.
///
/// Gives the frames of an AVI file the times at which they are decoded, as all players do.
///
/// AVI has no presentation times, only numbers, in the order of decoding. Where frames are reordered GStreamer's decoders
/// (1.22) take those for presentation times, so that some frames come at once and others late. A decoder that reorders by
/// one frame gives its first when the second chunk goes in, and from then on one for each; so a frame's time is that of
/// the chunk that brings it out. That holds for packed streams too, whose chunks hold two frames and then none, as the
/// container's chunks are counted and not what a parser makes of them.
package final class AVIFrameTimestamps: Sendable {
    private struct State {
        /// Of chunks that have not brought out a frame yet.
        var waiting: [MediaTime] = []
        /// By how many frames the decoder is behind; nil before the first one.
        var delay: Int?
        var hasBegun = false
        var last: MediaTime = .zero
        var step: MediaTime = .zero
    }

    private let state = Locked(State())

    package init() {}

    /// - Parameter pad: the demuxer's output.
    package func read(_ pad: Pad) {
        let (state, codec) = (state, pad.currentCaps?.first.flatMap(ReorderingCodec.init))
        _ = pad.addBufferProbe { buffer in
            guard let time = buffer.decodeTime ?? buffer.presentationTime else { return .pass }
            state.withLock { state in
                // The beginning, and what follows a seek.
                if buffer.isDiscontinuity { (state.waiting, state.hasBegun) = ([], false) }
                // The first frame has the headers. What looks like them in a later one is none, and nor is it in other codecs' frames.
                if state.delay == nil, buffer.byteCount > 0 {
                    let head = try? buffer.withBytes { Array($0.prefix(4096)) }
                    state.delay = codec?.delay(by: head ?? []) ?? 0
                }
                state.waiting.append(time)
                state.step = buffer.duration ?? state.step
            }
            return .pass
        }
    }

    /// - Parameter pad: the decoder's output.
    package func write(_ pad: Pad) {
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
