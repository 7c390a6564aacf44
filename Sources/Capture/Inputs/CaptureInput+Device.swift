import GStreamer

/// Of a device behind a pipeline nobody tells why it says nothing.
extension CaptureInput: DeviceInput {
    var standing: [String] { [] }
    func start() async throws { try await start(within: 5) }
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
