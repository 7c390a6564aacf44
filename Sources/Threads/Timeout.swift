/// Waits for an answer, but not for ever: for calls that block, there is ``onOwnThread(_:orAfter:otherwise:endsWithTask:_:)``.
///
/// - Returns: `nil` if the seconds are over first; what computes the answer is then left to itself.
package func withTimeout<Value: Sendable>(
    seconds: Double, _ body: @escaping @Sendable () async -> Value
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
