import Dispatch

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
