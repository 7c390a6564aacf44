import Dispatch
package import Foundation

/// Where an activity gets the time from: the system's clock, or a test's own.
package struct ActivityClock: Sendable {
    let now: @Sendable () -> Date
    /// Calls back once at that time or later, from any thread.
    let wake: @Sendable (Date, @escaping @Sendable () -> Void) -> Void

    /// - Parameters:
    ///   - now: the time of day.
    ///   - wake: calls the closure back once, at that time or later, from any thread; not from within itself.
    package init(
        now: @escaping @Sendable () -> Date,
        wake: @escaping @Sendable (Date, @escaping @Sendable () -> Void) -> Void
    ) {
        self.now = now
        self.wake = wake
    }

    /// The time of day.
    package static let system = ActivityClock(
        now: { Date() },
        wake: { date, body in
            // No further ahead than a day at once: what is set for ever would overflow the timer.
            let seconds = min(max(0, date.timeIntervalSinceNow), 86400)
            DispatchQueue.global().asyncAfter(wallDeadline: .now() + seconds, execute: body)
        })
}
