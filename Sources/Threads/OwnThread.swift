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

/// Runs a blocking call on a thread of its own and waits no longer than the stated time for it.
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
    _ name: String, orAfter limit: Duration, otherwise fallback: Value, endsWithTask: Bool = false,
    progressCounter: @escaping @Sendable () -> Int64 = { 0 }, _ body: @escaping @Sendable () -> Value
) async -> Value {
    await onOwnThread(
        name, stackSize: nil, orAfter: limit, otherwise: fallback, endsWithTask: endsWithTask,
        progressCounter: progressCounter,
        body)
}

/// - Parameter stackSize: in bytes; the system's if left out.
func onOwnThread<Value: Sendable>(
    _ name: String, stackSize: Int?, orAfter limit: Duration, otherwise fallback: Value, endsWithTask: Bool,
    progressCounter: @escaping @Sendable () -> Int64 = { 0 }, _ body: @escaping @Sendable () -> Value
) async -> Value {
    let first = FirstAnswer<Value>()
    return await withTaskCancellationHandler {
        if !OwnThread.run(name, stackSize: stackSize, { first.resume(body()) }) { first.resume(fallback) }
        return await first.value(within: limit, otherwise: fallback, progressCounter: progressCounter)
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
    package static func sleep(_ duration: Duration) { Thread.sleep(forTimeInterval: duration.seconds) }
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
