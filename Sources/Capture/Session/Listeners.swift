import Threads

/// Hands each value to everyone who asked for it, on the thread that brings it.
final class Listeners<Value: Sendable>: Sendable {
    typealias Body = @Sendable (Value) -> Void

    private struct State {
        var bodies: [Int: Body] = [:]
        var next = 0
    }
    private let state = Locked(State())

    func add(_ body: @escaping Body) -> Int {
        state.withLock { state in
            state.next += 1
            state.bodies[state.next] = body
            return state.next
        }
    }

    func remove(_ key: Int) { state.withLock { $0.bodies[key] = nil } }

    func send(_ value: Value) {
        // Called outside the lock, so that a listener may remove itself.
        for body in state.withLock({ Array($0.bodies.values) }) { body(value) }
    }
}
