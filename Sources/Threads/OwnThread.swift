import Foundation

/// Runs a blocking call on a thread of its own, so that it never holds one of the few threads that Swift's tasks share.
///
/// State changes join streaming threads and can take as long as a device's driver likes.
///
/// - Throws: what the call throws.
public func onOwnThread<Value: Sendable>(
    _ name: String = "rushes-blocking", _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        OwnThread.run(name) { continuation.resume(with: Result { try body() }) }
    }
}

/// Runs a blocking call on a thread of its own and waits no longer than the stated seconds for it.
///
/// A call that takes longer goes on by itself; its result is thrown away and `fallback` is returned in its place.
///
/// - Parameter endsWithTask: whether the wait is over, with `fallback`, once the task is cancelled. What completes a file
///   or closes a device is waited for all the same.
public func onOwnThread<Value: Sendable>(
    _ name: String, orAfter seconds: Double, otherwise fallback: Value, endsWithTask: Bool = false,
    _ body: @escaping @Sendable () -> Value
) async -> Value {
    let first = FirstAnswer<Value>()
    return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            first.wait(continuation)
            OwnThread.run(name) { first.resume(body()) }
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { first.resume(fallback) }
        }
    } onCancel: {
        if endsWithTask { first.resume(fallback) }
    }
}

/// Threads for calls that block.
public enum OwnThread {
    /// Runs the closure on a new thread. It is not waited for.
    public static func run(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.name = name
        thread.start()
    }

    /// Blocks the thread that calls, which must be one of these.
    public static func sleep(seconds: Double) { Thread.sleep(forTimeInterval: seconds) }
}

/// Resumes a continuation once, with whichever answer comes first.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open(CheckedContinuation<Value, Never>?)
        /// The answer, as long as nobody has come for it.
        case answered(Value?)
    }
    private let state = Locked(State.open(nil))

    func wait(_ continuation: CheckedContinuation<Value, Never>) {
        let early: Value? = state.withLock { state in
            guard case .answered(let value) = state else {
                state = .open(continuation)
                return nil
            }
            return value
        }
        if let early { continuation.resume(returning: early) }
    }

    func resume(_ value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
            guard case .open(let continuation) = state else { return nil }
            state = .answered(continuation == nil ? value : nil)
            return continuation
        }
        continuation?.resume(returning: value)
    }
}
