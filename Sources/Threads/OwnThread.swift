import Dispatch
import Foundation

/// Runs a blocking call on a thread of its own, so that it never holds one of the few threads that Swift's tasks share.
///
/// State changes join streaming threads and can take as long as a device's driver likes.
///
/// - Throws: what the call throws; ``ThreadShortage`` where the system has no thread for it.
package func onOwnThread<Value: Sendable>(
    _ name: String = "rushes-blocking", _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await onOwnThread(name, stackSize: nil, body)
}

/// - Parameter stackSize: in bytes; the system's if left out.
func onOwnThread<Value: Sendable>(
    _ name: String, stackSize: Int?, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let hasBegun = OwnThread.run(name, stackSize: stackSize) { continuation.resume(with: Result { try body() }) }
        if !hasBegun { continuation.resume(throwing: ThreadShortage()) }
    }
}

/// Runs a blocking call on a thread of its own and waits no longer than the stated seconds for it.
///
/// A call that takes longer goes on by itself; its result is thrown away and `fallback` is returned in its place. So it is at
/// once where the system has no thread for the call.
///
/// - Parameters:
///   - endsWithTask: whether the wait is over, with `fallback`, once the task is cancelled. What completes a file
///     or closes a device is waited for all the same.
///   - progressCounter: for what may take long and tells how far it is: a number that changes while it goes on, and then the time
///     begins anew.
package func onOwnThread<Value: Sendable>(
    _ name: String, orAfter seconds: Double, otherwise fallback: Value, endsWithTask: Bool = false,
    progressCounter: @escaping @Sendable () -> Int64 = { 0 }, _ body: @escaping @Sendable () -> Value
) async -> Value {
    await onOwnThread(
        name, stackSize: nil, orAfter: seconds, otherwise: fallback, endsWithTask: endsWithTask,
        progressCounter: progressCounter,
        body)
}

/// - Parameter stackSize: in bytes; the system's if left out.
func onOwnThread<Value: Sendable>(
    _ name: String, stackSize: Int?, orAfter seconds: Double, otherwise fallback: Value, endsWithTask: Bool,
    progressCounter: @escaping @Sendable () -> Int64 = { 0 }, _ body: @escaping @Sendable () -> Value
) async -> Value {
    let first = FirstAnswer<Value>()
    return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            first.wait(continuation)
            guard OwnThread.run(name, stackSize: stackSize, { first.resume(body()) }) else {
                return first.resume(fallback)
            }
            first.resume(fallback, after: seconds, without: progressCounter)
        }
    } onCancel: {
        if endsWithTask { first.resume(fallback) }
    }
}

/// Threads for calls that block.
package enum OwnThread {
    /// Runs the closure on a new thread. It is not waited for.
    ///
    /// - Returns: false where the system has no thread for it; the closure is then not called.
    @discardableResult
    package static func run(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        run(name, stackSize: nil, body)
    }

    /// POSIX's own call and not Foundation's `Thread`, which does not tell that there is none.
    ///
    /// - Parameter stackSize: in bytes; the system's if left out.
    static func run(_ name: String, stackSize: Int?, _ body: @escaping @Sendable () -> Void) -> Bool {
        // It has no initializer that this module may call.
        withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory in
            guard let attributes = memory.baseAddress, pthread_attr_init(attributes) == 0 else { return false }
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
            if let stackSize { pthread_attr_setstacksize(attributes, stackSize) }
            let work = Unmanaged.passRetained(Work(name, body))
            var thread: pthread_t = 0
            let result = pthread_create(&thread, attributes, { Work.run($0) }, work.toOpaque())
            if result != 0 { work.release() }
            return result == 0
        }
    }

    /// What a thread gets to do.
    private final class Work: Sendable {
        private let name: String
        private let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }

        static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let pointer else { return nil }
            let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
            // For debuggers.
            Thread.current.name = work.name
            work.body()
            return nil
        }
    }

    /// Blocks the thread that calls, which must be one of these.
    package static func sleep(seconds: Double) { Thread.sleep(forTimeInterval: seconds) }
}

/// The system has no thread for what would block.
package struct ThreadShortage: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init() { description = "The system cannot start another thread; \(Self.cure)." }

    init(available: Int, needed: Int) {
        description =
            "The system gives this program only \(available) of the \(needed) threads that it needs; \(Self.cure)."
    }

    private static let cure = "end other programs, or raise the limit of processes (ulimit -u)"
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

    /// Resumes with a value once the number has not changed for so many seconds.
    func resume(_ value: Value, after seconds: Double, without progressCounter: @escaping @Sendable () -> Int64) {
        let last = progressCounter()
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in
            if isAnswered || progressCounter() == last { return resume(value) }
            resume(value, after: seconds, without: progressCounter)
        }
    }

    private var isAnswered: Bool {
        state.withLock { if case .answered = $0 { true } else { false } }
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

/// A queue that tasks may be given to which block: its threads are not the few that Swift's tasks share.
///
/// One after the other: what one task blocks, the others of the same queue wait for.
package final class BlockingQueue: TaskExecutor {
    private let queue: DispatchQueue

    /// - Parameter name: for debuggers.
    package init(_ name: String) { queue = DispatchQueue(label: name) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
