import Foundation

/// Runs a blocking call on a thread of its own, so that it never holds one of the few threads that Swift's tasks share.
///
/// State changes join streaming threads and can take as long as a device's driver likes.
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
public func onOwnThread<Value: Sendable>(
    _ name: String, orAfter seconds: Double, otherwise fallback: Value, _ body: @escaping @Sendable () -> Value
) async -> Value {
    await withCheckedContinuation { continuation in
        let first = FirstAnswer(continuation)
        OwnThread.run(name) { first.resume(body()) }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { first.resume(fallback) }
    }
}

/// Threads for calls that block.
public enum OwnThread {
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
    private let waiting: Locked<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) { waiting = Locked(continuation) }

    func resume(_ value: Value) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: value)
    }
}
