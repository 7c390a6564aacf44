/// Waits for an answer, but not for ever.
enum Deadline {
    /// The value, or `nil` if the seconds are over first; what computes it is then left to itself.
    static func value<Value: Sendable>(
        within seconds: Double, _ body: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let (answers, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingOldest(1))
        Task.detached {
            continuation.yield(await body())
            continuation.finish()
        }
        let limit = Task.detached {
            try? await Task.sleep(for: .seconds(seconds))
            continuation.finish()
        }
        defer { limit.cancel() }
        for await answer in answers { return answer }
        return nil
    }
}
