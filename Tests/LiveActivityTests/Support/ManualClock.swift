import Foundation
import LiveActivity
import Threads

/// A clock that only a test moves.
final class ManualClock: Sendable {
    private struct State {
        var now = Date(timeIntervalSince1970: 1_789_000_000)
        var alarms: [(Date, @Sendable () -> Void)] = []
    }
    private let state = Locked(State())

    var now: Date { state.withLock { $0.now } }

    var clock: ActivityClock {
        ActivityClock(
            now: { self.now },
            wake: { date, body in self.state.withLock { $0.alarms.append((date, body)) } })
    }

    /// Moves on and rings what is due.
    func advance(_ seconds: Double) {
        let due = state.withLock { state in
            state.now += seconds
            let now = state.now
            let due = state.alarms.filter { $0.0 <= now }.map(\.1)
            state.alarms.removeAll { $0.0 <= now }
            return due
        }
        for body in due { body() }
    }
}
