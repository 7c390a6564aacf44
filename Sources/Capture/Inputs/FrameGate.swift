import GStreamer
import Threads

/// Lets through only those of a camera's frames that are asked for, before they are decoded. The decision is made on the device's thread
/// and must not wait.
final class FrameGate: Sendable {
    /// In a type of its own: a closure that a generic type holds is wrapped anew each time it is read, ever deeper (Swift 6.3).
    private struct Question {
        let isWanted: @Sendable (_ runningTime: MediaTime) -> Bool
    }

    private let question = Locked(Question { _ in true })

    /// All pass until this is called.
    func open(to isWanted: @escaping @Sendable (MediaTime) -> Bool) {
        question.withLock { $0 = Question(isWanted: isWanted) }
    }

    func passes(_ runningTime: MediaTime) -> Bool { question.withLock { $0 }.isWanted(runningTime) }
}

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
