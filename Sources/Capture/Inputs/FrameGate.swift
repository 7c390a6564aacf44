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
