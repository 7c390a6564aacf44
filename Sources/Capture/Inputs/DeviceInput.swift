import GStreamer

/// What brings a device's samples: a pipeline, or a stream of the sound server.
protocol DeviceInput: AnyObject, Sendable {
    /// What the device is called in messages; another one after a switch.
    var name: String { get }
    var state: FeedState { get }
    /// Warnings that hold now and that a recording starts with: that it is muted, or suspended.
    var standing: [String] { get }

    /// Opens it and lets it flow.
    func start() async throws
    /// Sets its final state before it is closed; only the first call counts.
    func end(as state: FeedState)
    /// Closes it. A driver or server that blocks is left to a thread of its own.
    func stop() async
    /// Calls the closure with each warning about the device, a whole sentence, on a thread of its own.
    func listen(forNotices body: @escaping @Sendable (String) -> Void) -> Int
    func unlistenForNotices(_ key: Int)
    /// Yields its state as soon as it is lost or ended; other changes are found by asking for ``state``.
    func states() -> AsyncStream<FeedState>
}

/// What a session's feed does: one device's frames or audio, on the session's clock.
enum FeedState: Sendable, Equatable {
    /// What the device delivers comes.
    case running
    /// Nothing comes just now, and may again.
    case stalled
    /// Nothing comes any more; why, in a few words. One of several cameras may be found again, and then runs.
    case lost(String)
    /// The session has closed it.
    case ended

    /// Whether nothing will come any more.
    var isOver: Bool {
        switch self {
        case .running, .stalled: false
        case .lost, .ended: true
        }
    }
}

/// A pipeline gives no warnings: nothing says why a device behind it is silent.
extension CaptureInput: DeviceInput {
    var standing: [String] { [] }
    func start() async throws { try await start(within: .seconds(5)) }
    func listen(forNotices body: @escaping @Sendable (String) -> Void) -> Int { 0 }
    func unlistenForNotices(_ key: Int) {}

    func states() -> AsyncStream<FeedState> {
        let (states, continuation) = AsyncStream.makeStream(of: FeedState.self, bufferingPolicy: .bufferingOldest(1))
        let messages = messages()
        let task = Task { [weak self] in
            for await message in messages {
                switch message.content {
                case .error, .endOfStream: if let state = self?.state { continuation.yield(state) }
                default: break
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return states
    }
}
