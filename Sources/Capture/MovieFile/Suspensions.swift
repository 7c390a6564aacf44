import MediaTypes
import Threads

/// How long the machine was suspended while a recording ran.
///
/// Recordings count on CLOCK_MONOTONIC, which stands still meanwhile: the movie goes on as if there had been no time between.
/// CLOCK_BOOTTIME goes on, and by it one knows what time of day it is afterwards, also where somebody sets the wall clock.
final class Suspensions: Sendable {
    private struct Log {
        /// What one clock was ahead of the other at the beginning.
        let begin: MediaTime
        var total = MediaTime.zero
        var lastLook = MediaTime.zero
        /// From a running time on, how long in all.
        var entries: [(time: MediaTime, total: MediaTime)] = []
    }
    private let log: Locked<Log>
    private let lead: @Sendable () -> MediaTime

    /// - Parameter lead: what CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC.
    init(lead: @escaping @Sendable () -> MediaTime = Suspensions.machine) {
        self.lead = lead
        log = Locked(Log(begin: lead()))
    }

    /// Looks whether there was one since the last look.
    ///
    /// - Parameter now: running time.
    /// - Returns: how long; `nil` where there was none.
    func look(at now: MediaTime) -> MediaTime? {
        let lead = lead()
        return log.withLock { log in
            // Where between two looks it was nobody knows; from the first of them on the time of day is the later one.
            defer { log.lastLook = now }
            let new = lead - log.begin - log.total
            guard new >= Self.shortest else { return nil }
            log.total += new
            log.entries.append((log.lastLook, log.total))
            return new
        }
    }

    /// How long in all before a running time.
    func total(before time: MediaTime) -> MediaTime {
        log.withLock { $0.entries.last { $0.time <= time }?.total ?? .zero }
    }

    /// What the two readings are apart is less.
    private static let shortest = 500 * MediaTime.millisecond

    /// Swift's continuous clock is CLOCK_BOOTTIME, its suspending one CLOCK_MONOTONIC.
    private static let machine: @Sendable () -> MediaTime = {
        let running = SuspendingClock.now - beginning.suspending
        return MediaTime(ContinuousClock.now - beginning.continuous - running)
    }
    private static let beginning = (suspending: SuspendingClock.now, continuous: ContinuousClock.now)
}
