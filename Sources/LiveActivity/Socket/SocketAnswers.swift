import Threads

/// Answers on their way to those who asked at a process's socket, from whoever did what was asked.
final class SocketAnswers: Sendable {
    private let waiting = Locked<[(number: Int, reply: SocketReply)]>([])
    private let onAnswer: @Sendable () -> Void

    /// - Parameter onAnswer: wakes the thread that sends them.
    init(onAnswer: @escaping @Sendable () -> Void) { self.onAnswer = onAnswer }

    /// - Parameter number: of the connection.
    func put(_ reply: SocketReply, to number: Int) {
        waiting.withLock { $0.append((number, reply)) }
        onAnswer()
    }

    func take() -> [(number: Int, reply: SocketReply)] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
