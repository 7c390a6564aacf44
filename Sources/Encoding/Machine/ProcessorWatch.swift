import Foundation
import GStreamer
import Synchronization
import Threads

/// How much of the cores others leave free, over the last second or two.
///
/// Whoever is going to record lets it look now and then, with what wakes the process anyway; the answer then costs nothing.
package final class ProcessorWatch: Sendable {
    /// The machine's cores are the same for all.
    package static let shared = ProcessorWatch()

    private let looks = Locked<[(time: MediaTime, times: ProcessorTimes)]>([])
    /// In nanoseconds.
    private let next = Atomic<Int64>(0)

    /// Remembers what the cores have done until now, unless that was less than a second ago.
    package func sample() {
        let now = Pipeline.systemTime
        guard now.nanoseconds >= next.load(ordering: .relaxed), let times = ProcessorTimes.now else { return }
        next.store((now + .second).nanoseconds, ordering: .relaxed)
        looks.withLock { $0 = $0.suffix(1) + [(now, times)] }
    }

    /// Cores' worth of time that others left since a look some tenths of a second ago, and no more than the control groups
    /// allow; `nil` where that was never looked at.
    package var freeCores: Double? {
        let now = Pipeline.systemTime
        let looks = looks.withLock { $0 }
        let quota = ControlGroup.own.cores
        // 0, 0: of a process, this one.
        let yields = getpriority(0, 0) > 0
        guard let earlier = looks.last(where: { now - $0.time >= 300 * .millisecond }) ?? looks.first,
            let free = ProcessorTimes.now?.freeCores(since: earlier.times, yields: yields)
        else { return quota }
        return min(free, quota ?? free)
    }
}
