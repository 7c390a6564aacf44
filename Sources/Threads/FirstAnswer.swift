import Dispatch

/// Waits for an answer, but not for ever. For calls that block there is ``onOwnThread(_:orAfter:otherwise:endsWithTask:_:)``.
///
/// - Returns: `nil` if the time is over first, or the task is cancelled; what computes the answer is then left to itself.
package func withTimeout<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async -> Value
) async -> Value? {
    let first = FirstAnswer<Value?>()
    return await withTaskCancellationHandler {
        Task.detached { first.resume(await body()) }
        return await first.value(within: limit, otherwise: nil)
    } onCancel: {
        first.resume(nil)
    }
}

/// Whichever answer comes first, for one task that waits for it. All waits of tasks that have a limit are this one.
final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open(CheckedContinuation<Value, Never>?)
        /// The answer, as long as nobody has come for it.
        case answered(Value?)
    }
    private let state = Locked(State.open(nil))

    /// Answers; the first one counts, also where it comes before somebody waits.
    func resume(_ value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
            guard case .open(let continuation) = state else { return nil }
            state = .answered(continuation == nil ? value : nil)
            return continuation
        }
        continuation?.resume(returning: value)
    }

    /// Waits for it. Once.
    ///
    /// - Parameters:
    ///   - fallback: the answer once the time is over.
    ///   - progressCounter: a number that changes while the work goes on, and then the time begins anew.
    func value(
        within limit: Duration, otherwise fallback: Value,
        progressCounter: @escaping @Sendable () -> Int64 = { 0 }
    ) async -> Value {
        await withCheckedContinuation { continuation in
            wait(continuation)
            resume(fallback, after: limit, without: progressCounter)
        }
    }

    private func wait(_ continuation: CheckedContinuation<Value, Never>) {
        let early: Value? = state.withLock { state in
            guard case .answered(let value) = state else {
                state = .open(continuation)
                return nil
            }
            return value
        }
        if let early { continuation.resume(returning: early) }
    }

    /// Answers with a value once the number has not changed for so long.
    private func resume(
        _ value: Value, after limit: Duration, without progressCounter: @escaping @Sendable () -> Int64
    ) {
        guard !isAnswered else { return }
        let last = progressCounter()
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.seconds) { [self] in
            if isAnswered || progressCounter() == last { return resume(value) }
            resume(value, after: limit, without: progressCounter)
        }
    }

    private var isAnswered: Bool {
        state.withLock { if case .answered = $0 { true } else { false } }
    }
}
