import GStreamer

/// A pipeline as a microphone: nobody tells why it says nothing.
extension CaptureInput: AudioFeed {
    var isInterrupted: Bool { false }
    var standing: [String] { [] }
    func start() async throws { try await start(within: 5) }
    func listen(forNotices body: @escaping @Sendable (String) -> Void) -> Int { 0 }
    func unlistenForNotices(_ key: Int) {}

    func faults() -> AsyncStream<Void> {
        let (faults, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let messages = messages()
        let task = Task {
            for await message in messages {
                switch message.content {
                case .error, .endOfStream: continuation.yield()
                default: break
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return faults
    }
}
