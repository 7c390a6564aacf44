/// Items of a batch as array jobs: Slurm numbers tasks from 0 to a limit of the cluster, and a batch may have more.
struct SlurmArray: Hashable {
    /// The item that task 0 is.
    var offset: Int
    /// Numbers of tasks, in order.
    var tasks: [Int]

    /// - Parameters:
    ///   - items: numbers, in order.
    ///   - limit: how many numbers tasks may have (`MaxArraySize`).
    static func arrays(of items: [Int], limit: Int) -> [SlurmArray] {
        var arrays: [SlurmArray] = []
        for item in items {
            let offset = item / limit * limit
            if arrays.last?.offset != offset { arrays.append(SlurmArray(offset: offset, tasks: [])) }
            arrays[arrays.count - 1].tasks.append(item - offset)
        }
        return arrays
    }

    /// As `sbatch --array` takes it, such as `0-3,7%2`.
    ///
    /// - Parameter jobs: how many tasks may run at a time.
    func text(jobs: Int?) -> String {
        var ranges: [ClosedRange<Int>] = []
        for task in tasks {
            if let last = ranges.last, last.upperBound + 1 == task {
                ranges[ranges.count - 1] = last.lowerBound...task
            } else {
                ranges.append(task...task)
            }
        }
        let parts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        return parts.joined(separator: ",") + (jobs.map { "%\($0)" } ?? "")
    }
}
