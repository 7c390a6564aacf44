import Foundation
package import MediaTypes
import Synchronization

/// How long a disk takes for what it is asked; any thread may look, also while it is asked.
package final class DiskDelay: Sendable {
    /// Nanoseconds of the monotonic clock; 0 while nothing is asked.
    private let begin = Atomic<Int64>(0)
    private let last = Atomic<Int64>(0)
    private let now: @Sendable () -> MediaTime

    /// - Parameter now: a clock that nobody sets.
    package init(now: @escaping @Sendable () -> MediaTime = { DiskDelay.systemTime }) { self.now = now }

    /// A call begins; one at a time.
    package func start() { begin.store(max(1, now().nanoseconds), ordering: .relaxed) }

    /// It is over.
    package func finish() {
        let start = begin.exchange(0, ordering: .relaxed)
        if start > 0 { last.store(now().nanoseconds - start, ordering: .relaxed) }
    }

    /// Of the last call, or of the one under way as long as that is longer.
    package var duration: MediaTime {
        let start = begin.load(ordering: .relaxed)
        let underWay = start > 0 ? now().nanoseconds - start : 0
        return MediaTime(nanoseconds: max(last.load(ordering: .relaxed), underWay))
    }

    package static var systemTime: MediaTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MediaTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
