import GStreamer
import Threads

/// Gives the pictures of an AVI file the times of their places in it.
///
/// AVI has no presentation times, only numbers, in the order of decoding. Where pictures are reordered GStreamer's decoders
/// (1.22) take those for presentation times, so that some pictures come at once and others late. As many pictures leave
/// the decoder as went in, so the next one to leave gets the earliest time that went in.
final class PlaceTimes: Sendable {
    private let waiting = Locked<[Nanoseconds]>([])

    /// More pictures than any decoder holds; beyond that, some did not come out.
    private static let most = 64

    /// - Parameter pad: what leads to the decoder.
    func read(_ pad: Pad) {
        let waiting = waiting
        _ = pad.addBufferProbe { buffer in
            guard let time = buffer.decodeTime ?? buffer.presentationTime else { return .pass }
            waiting.withLock { times in
                times.append(time)
                if times.count > Self.most { times.removeFirst() }
            }
            return .pass
        }
    }

    /// - Parameter pad: the decoder's output.
    func write(_ pad: Pad) {
        let waiting = waiting
        _ = pad.addBufferEditor { buffer in
            guard let time = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
            buffer = buffer.retimed(presentationTime: time, duration: buffer.duration)
        }
    }
}
