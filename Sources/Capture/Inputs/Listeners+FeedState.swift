extension Listeners where Value == FeedState {
    /// What is sent from now on, the newest first where the reader is behind.
    ///
    /// - Parameter state: by now; what it came to before is told to who listens late.
    func states(after state: () -> FeedState) -> AsyncStream<FeedState> {
        let (states, continuation) = AsyncStream.makeStream(of: FeedState.self, bufferingPolicy: .bufferingNewest(1))
        let key = add { continuation.yield($0) }
        continuation.onTermination = { [weak self] _ in self?.remove(key) }
        if case let state = state(), state.isOver { continuation.yield(state) }
        return states
    }
}
