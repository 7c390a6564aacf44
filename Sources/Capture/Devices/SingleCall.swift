import Threads

/// A call that may hang, of which there is one at a time: a server that does not answer takes one thread, however often it is
/// asked.
final class SingleCall<Value: Sendable>: Sendable {
    private let name: String
    private let underWay = Locked<Task<Value?, Never>?>(nil)

    /// - Parameter name: the thread's, for debuggers.
    init(_ name: String) { self.name = name }

    /// Waits until the call before has ended, and makes this one.
    ///
    /// - Returns: `nil` if that takes longer than the stated time, or there is no thread. A call that is under way goes on
    ///   by itself; one that has not begun is not made.
    func value(within limit: Duration, _ body: @escaping @Sendable () -> Value) async -> Value? {
        let limit = TimeLimit(limit)
        while true {
            let (task, isOwn) = underWay.withLock { underWay in
                if let underWay { return (underWay, false) }
                let task = begin(body)
                underWay = task
                return (task, true)
            }
            guard !limit.isOver, let answer = await withTimeout(limit.left, { await task.value }) else { return nil }
            if isOwn { return answer }
        }
    }

    private func begin(_ body: @escaping @Sendable () -> Value) -> Task<Value?, Never> {
        Task.detached { [self] in
            let value = try? await onOwnThread(name, body)
            underWay.withLock { $0 = nil }
            return value
        }
    }
}
