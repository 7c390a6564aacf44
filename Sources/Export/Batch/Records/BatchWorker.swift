import Foundation
import LiveActivity

/// Who does a step of a batch: a process, the node that it runs on, and the task of the scheduler that began it.
struct BatchWorker: Codable, Sendable, Hashable {
    /// A task of an array job of Slurm. It comes again under the same numbers when its node has died.
    struct ArrayTask: Codable, Sendable, Hashable {
        /// `SLURM_ARRAY_JOB_ID`, or `SLURM_JOB_ID` outside an array.
        var job: String
        /// `SLURM_ARRAY_TASK_ID`.
        var index: String?
        /// `SLURM_RESTART_COUNT`: how often Slurm has begun it again.
        var restarts = 0

        /// As Slurm writes it, such as "12_3".
        var name: String { index.map { "\(job)_\($0)" } ?? job }
    }

    /// The node as Slurm calls it, else the machine's own name.
    var node: String
    var process: ProcessIdentity
    var task: ArrayTask?

    static let current = BatchWorker(
        process: .current, environment: ProcessInfo.processInfo.environment)

    init(node: String, process: ProcessIdentity, task: ArrayTask? = nil) {
        (self.node, self.process, self.task) = (node, process, task)
    }

    /// - Parameter environment: with the variables that sbatch documents as its output.
    init(process: ProcessIdentity, environment: [String: String]) {
        self.init(node: environment["SLURMD_NODENAME"] ?? process.host, process: process)
        guard let job = environment["SLURM_ARRAY_JOB_ID"] ?? environment["SLURM_JOB_ID"] else { return }
        task = ArrayTask(
            job: job, index: environment["SLURM_ARRAY_TASK_ID"],
            restarts: environment["SLURM_RESTART_COUNT"].flatMap { Int($0) } ?? 0)
    }

    /// Whether Slurm has begun the other's task again as this one. It does so only when it has given the other up.
    func replaces(_ other: BatchWorker) -> Bool {
        guard let task, let before = other.task, task.name == before.name else { return false }
        return task.restarts > before.restarts
    }
}
