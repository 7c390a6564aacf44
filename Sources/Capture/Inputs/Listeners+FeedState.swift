extension Listeners where Value == FeedState {
    /// The states that are sent from now on; a reader that is behind gets the newest one only.
    ///
    /// - Parameter state: the current state, which is sent first if it is final.
    func states(after state: () -> FeedState) -> AsyncStream<FeedState> {
        let (states, continuation) = AsyncStream.makeStream(of: FeedState.self, bufferingPolicy: .bufferingNewest(1))
        let key = add { continuation.yield($0) }
        continuation.onTermination = { [weak self] _ in self?.remove(key) }
        if case let state = state(), state.isOver { continuation.yield(state) }
        return states
    }
}
