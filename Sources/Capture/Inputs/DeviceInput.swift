import GStreamer

/// What brings a device's samples: a pipeline, or a stream of the sound server.
protocol DeviceInput: AnyObject, Sendable {
    /// What the device is called in messages; another one after a switch.
    var name: String { get }
    var state: FeedState { get }
    /// What is told of it now and would be told of a take that begins: that it is muted, or suspended.
    var standing: [String] { get }

    /// Opens it and lets it flow.
    func start() async throws
    /// Says what became of it before it is closed; the first word counts.
    func end(as state: FeedState)
    /// Closes it. What does not let go is left to a thread of its own.
    func stop() async
    /// Something to know about it, in whole sentences, on a thread of its own.
    func listen(forNotices body: @escaping @Sendable (String) -> Void) -> Int
    func unlistenForNotices(_ key: Int)
    /// What it comes to when it is lost or ended, at once; other changes are for who looks.
    func states() -> AsyncStream<FeedState>
}
