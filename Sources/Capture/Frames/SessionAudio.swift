import Threads

/// A session's microphone at the moment, for whoever listens beside a recording; it follows from one to the other by itself.
final class SessionAudio: Sendable {
    private struct State {
        var feed: AudioFeed?
        var key: Int?
    }

    private let state = Locked(State())
    private let chunks = Listeners<AudioChunk>()

    /// The session's microphone; `nil` where it has none, or is closed.
    func follow(_ feed: AudioFeed?) {
        let old = state.withLock { state -> State? in
            guard state.feed !== feed else { return nil }
            defer { state = State(feed: feed) }
            return state
        }
        guard let old else { return }
        if let key = old.key { old.feed?.unlisten(key) }
        guard let feed else { return }
        let key = feed.listen { [chunks] in chunks.send($0) }
        let isLate = state.withLock { state in
            guard state.feed === feed else { return true }
            state.key = key
            return false
        }
        if isLate { feed.unlisten(key) }
    }

    /// Calls the closure for each chunk, on a thread that waits for nothing.
    func listen(_ body: @escaping @Sendable (AudioChunk) -> Void) -> Int { chunks.add(body) }
    func unlisten(_ key: Int) { chunks.remove(key) }

    /// How loud it was in each interval, until the reader ends; `nil` where nothing came.
    func levels(every interval: Duration) -> AsyncStream<AudioLevel?> {
        let (levels, continuation) = AsyncStream.makeStream(of: AudioLevel?.self, bufferingPolicy: .bufferingNewest(1))
        let meter = Locked<LevelMeter?>(nil)
        let key = listen { chunk in
            meter.withLock { meter in
                if meter == nil { meter = LevelMeter(channels: chunk.channels) }
                meter?.add(chunk.samples)
            }
        }
        let reading = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: interval)
                continuation.yield(meter.withLock { $0?.read() })
            }
        }
        continuation.onTermination = { [self] _ in
            reading.cancel()
            unlisten(key)
        }
        return levels
    }
}
