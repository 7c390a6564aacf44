import Foundation
import LiveActivity

@testable import Export

/// Nodes of a cluster that does not exist: each is a machine that nobody here can ask about its processes.
enum Cluster {
    /// - Parameter task: of the array job 7, with how often Slurm has begun it again.
    static func worker(_ node: String, task: (index: Int, restarts: Int)? = nil) -> BatchWorker {
        var process = ProcessIdentity.current
        (process.host, process.boot) = (node, "of \(node)")
        return BatchWorker(
            node: node, process: process,
            task: task.map { BatchWorker.ArrayTask(job: "7", index: "\($0.index)", restarts: $0.restarts) })
    }
}
