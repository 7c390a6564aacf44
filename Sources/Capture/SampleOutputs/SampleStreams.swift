import Threads

/// Hands what an output gets to all who read it at the moment.
final class SampleStreams<Element: Sendable>: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
        var next = 0
    }
    private let state = Locked(State())
    private let kept: Int

    /// - Parameter kept: of how many a reader that is behind has the newest.
    init(keeping kept: Int) { self.kept = kept }

    /// What is sent from now on, until the reader ends or all do.
    var stream: AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(kept))
        let key = state.withLock { state in
            state.next += 1
            state.continuations[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.continuations[key] = nil } }
        return stream
    }

    func send(_ element: Element) {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(element) }
    }

    /// Ends all streams that there are.
    func finish() {
        let all = state.withLock { state in
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for continuation in all { continuation.finish() }
    }
}
