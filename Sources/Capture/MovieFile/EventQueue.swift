import Threads

/// Events for one reader, who may be slow or absent: progress that was not read is replaced by the next, so memory stays
/// small; nothing else is ever lost.
final class EventQueue: Sendable {
    private struct State {
        var waiting: [RecordingEvent] = []
        var reader: CheckedContinuation<RecordingEvent?, Never>?
        var isFinishing = false
        var isFinished = false
    }
    private let state = Locked(State())

    /// What is sent, in order.
    var events: AsyncStream<RecordingEvent> {
        AsyncStream {
            await self.next()
        } onCancel: {
            self.state.withLock { Self.takeReader(&$0) }?.resume(returning: nil)
        }
    }

    func send(_ event: RecordingEvent) {
        let reader = state.withLock { state -> CheckedContinuation<RecordingEvent?, Never>? in
            guard !state.isFinished else { return nil }
            if case .finishing = event { state.isFinishing = true }
            // What was being looked at when the end came is told too late.
            if case .progress = event, state.isFinishing { return nil }
            if let reader = Self.takeReader(&state) { return reader }
            if case .progress = event, case .progress? = state.waiting.last { state.waiting.removeLast() }
            state.waiting.append(event)
            return nil
        }
        reader?.resume(returning: event)
    }

    /// Nothing follows.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            return Self.takeReader(&state)
        }
        reader?.resume(returning: nil)
    }

    private func next() async -> RecordingEvent? {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> RecordingEvent?? in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                if state.isFinished || Task.isCancelled { return .some(nil) }
                // For one reader: a second one takes the first one's place.
                let first = Self.takeReader(&state)
                state.reader = continuation
                first?.resume(returning: nil)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    private static func takeReader(_ state: inout State) -> CheckedContinuation<RecordingEvent?, Never>? {
        defer { state.reader = nil }
        return state.reader
    }
}
