import Dispatch

/// Something that happens once and may be waited for.
package final class AsyncSignal: Sendable {
    private struct State {
        var isFired = false
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var next = 0
    }
    private let state = Locked(State())

    /// One that has not fired.
    package init() {}

    /// Whether it has fired.
    package var isFired: Bool { state.withLock { $0.isFired } }

    /// Wakes all who wait; those who come later do not wait. Once is enough, more does nothing.
    @Sendable package func fire() {
        let waiting: [CheckedContinuation<Bool, Never>] = state.withLock { state in
            guard !state.isFired else { return [] }
            state.isFired = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: true) }
    }

    /// Waits until it has fired, or the time is up; true if it has fired.
    package func wait(seconds: Double) async -> Bool {
        await withCheckedContinuation { continuation in
            let place: Int? = state.withLock { state in
                guard !state.isFired else { return nil }
                state.next += 1
                state.waiting[state.next] = continuation
                return state.next
            }
            guard let place else { return continuation.resume(returning: true) }
            // Only now: a timer that is faster than the lines above would find nobody to give up, and nobody would wake.
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { self.giveUp(place) }
        }
    }

    /// Ends one wait; others that began later have their own time.
    private func giveUp(_ place: Int) {
        state.withLock { $0.waiting.removeValue(forKey: place) }?.resume(returning: false)
    }
}

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
