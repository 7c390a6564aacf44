import GStreamer
import Threads

/// A camera's own JPEGs on their way through the decoder, found again by their presentation timestamps, to the millisecond: decoders count
/// some by the frame rate.
final class OriginalFrames: Sendable {
    private let waiting = Locked<[Buffer]>([])
    /// More than there can be on the way: three in the queue, and one on each side of it.
    private static let limit = 6

    /// Copies the frame: the device has few buffers, and a JPEG is small.
    func keep(_ buffer: Buffer) {
        let copy = buffer.copied()
        waiting.withLock { waiting in
            waiting.append(copy)
            if waiting.count > Self.limit { waiting.removeFirst() }
        }
    }

    /// What a decoded frame was before; `nil` where that is not known.
    func original(of frame: Buffer) -> Buffer? {
        guard let time = frame.presentationTime else { return nil }
        return waiting.withLock { waiting in
            guard
                let index = waiting.firstIndex(where: {
                    $0.presentationTime.map { abs($0.nanoseconds - time.nanoseconds) < 1_000_000 } == true
                })
            else { return nil }
            defer { waiting.removeFirst(index + 1) }
            return waiting[index]
        }
    }
}
