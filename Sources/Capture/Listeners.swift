import Threads

/// Hands each value to everyone who asked for it, on the thread that brings it.
final class Listeners<Value: Sendable>: Sendable {
    typealias Body = @Sendable (Value) -> Void

    private struct State {
        /// In an array of their own, so that sending copies nothing.
        var (keys, bodies): ([Int], [Body]) = ([], [])
        var next = 0
    }
    private let state = Locked(State())

    func add(_ body: @escaping Body) -> Int {
        state.withLock { state in
            state.next += 1
            state.keys.append(state.next)
            state.bodies.append(body)
            return state.next
        }
    }

    func remove(_ key: Int) {
        state.withLock { state in
            guard let place = state.keys.firstIndex(of: key) else { return }
            state.keys.remove(at: place)
            state.bodies.remove(at: place)
        }
    }

    var count: Int { state.withLock { $0.keys.count } }

    func send(_ value: Value) {
        // Called outside the lock, so that a listener may remove itself. A key path would be made anew each time.
        for body in state.withLock({ $0.bodies }) { body(value) }
    }
}
