import CaptureAudio
import MediaTypes
import Threads

/// The session's current microphones, for outputs beside a recording; follows changes of the configuration automatically.
final class SessionAudio: Sendable {
    private struct State {
        var feeds: [AudioFeed] = []
        /// What listens to each; fewer while that begins.
        var keys: [Int] = []
    }

    private let state = Locked(State())
    private let chunks = Listeners<(microphone: Int, chunk: AudioChunk)>()

    /// The session's microphones, the main one first; none where it has none, or is closed.
    func follow(_ feeds: [AudioFeed]) {
        let old = state.withLock { state -> State? in
            guard !state.feeds.elementsEqual(feeds, by: ===) else { return nil }
            defer { state = State(feeds: feeds) }
            return state
        }
        guard let old else { return }
        for (feed, key) in zip(old.feeds, old.keys) { feed.unlisten(key) }
        let keys = feeds.enumerated().map { index, feed in feed.listen { [chunks] in chunks.send((index, $0)) } }
        let isLate = state.withLock { state in
            guard state.feeds.elementsEqual(feeds, by: ===) else { return true }
            state.keys = keys
            return false
        }
        guard isLate else { return }
        for (feed, key) in zip(feeds, keys) { feed.unlisten(key) }
    }

    /// Calls the closure for each chunk of the main one, on a thread that waits for nothing.
    func listen(_ body: @escaping @Sendable (AudioChunk) -> Void) -> Int {
        chunks.add { if $0.microphone == 0 { body($0.chunk) } }
    }

    /// The same of each of them, by its number.
    func listenToAll(_ body: @escaping @Sendable (_ microphone: Int, AudioChunk) -> Void) -> Int {
        chunks.add { body($0.microphone, $0.chunk) }
    }
    func unlisten(_ key: Int) { chunks.remove(key) }

    /// How loud each was in each interval, until the reader ends; `nil` where nothing came.
    func levels(every interval: Duration) -> AsyncStream<[AudioLevel?]> {
        let (levels, continuation) = AsyncStream.makeStream(
            of: [AudioLevel?].self, bufferingPolicy: .bufferingNewest(1))
        let meters = Locked<[Int: LevelMeter]>([:])
        let key = chunks.add { microphone, chunk in
            meters.withLock { $0[microphone, default: LevelMeter(channels: chunk.channels)].add(chunk.samples) }
        }
        let reading = Task { [state] in
            while !Task.isCancelled {
                try await Task.sleep(for: interval)
                let count = state.withLock { $0.feeds.count }
                continuation.yield(meters.withLock { meters in (0..<count).map { meters[$0]?.read() } })
            }
        }
        continuation.onTermination = { [self] _ in
            reading.cancel()
            unlisten(key)
        }
        return levels
    }
}
