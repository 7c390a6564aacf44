import Errors
import Export
import Foundation
import MovieFiles
import SystemPackage

/// What is handed to Slurm of a batch. All of it blocks.
struct SlurmSubmission: Sendable {
    let plan: BatchPlan
    /// How many tasks may run at a time.
    var jobs: Int?
    /// What the nodes call the folder of the outputs, where that differs from here.
    var onNodes: String?
    /// A person's own, for sbatch.
    var options: [String]

    /// What is left to hand over.
    ///
    /// - Parameter isResuming: whether something may have been handed over before.
    /// - Throws: ``RushesError`` where it was, and may not; and where Slurm does not tell what it has of that, which would be handed over again.
    func arrays(isResuming: Bool) throws -> [SlurmArray] {
        let before = plan.folder.submissions()
        if let job = before.last?.job, !isResuming {
            throw RushesError(
                .badInput,
                "\(plan.folder.outputs.wireText) was submitted already, as job \(job); submit what is left with --resume."
            )
        }
        // In this order: a task that ends meanwhile has done its file by the time at which that is looked for. One that was cancelled may
        // take some time to end; its file's next task waits for that.
        guard let queued = before.isEmpty ? [] : Slurm.queued(before, isOver: plan.isOver) else {
            throw RushesError(
                .badInput,
                "squeue did not answer, so nobody knows which files of job \(before.last?.job ?? "") are still queued; try again later."
            )
        }
        let undone = plan.undone()
        let left = undone.filter { !queued.contains($0) }
        if left.isEmpty {
            let count = plan.items.count
            StandardStreams.printNote(
                undone.isEmpty
                    ? "\(count) of \(count) are done." : "\(undone.count) are not done, and Slurm has them already.")
        }
        return SlurmArray.arrays(of: left, limit: Slurm.arrayLimit())
    }

    /// Hands over one array job.
    ///
    /// - Throws: ``RushesError`` where Slurm does not take it.
    func submit(_ array: SlurmArray) throws -> BatchSubmission {
        let outputs = plan.folder.outputs
        guard let path = String(validating: outputs) else {
            throw RushesError(
                .invalidSettings, "sbatch accepts only UTF-8 paths; rename \(outputs.wireText).")
        }
        let remote = BatchFolder(outputs: onNodes.map { FilePath($0) } ?? outputs)
        let script = try plan.folder.write(taskScript: Slurm.taskScript)
        let command = OwnProgram.path
        // A process's own file, where the program was replaced or removed meanwhile, is no program on another machine.
        guard !command.hasPrefix("/proc/") else {
            throw RushesError(
                .badInput, "The program that runs was replaced or deleted; submit again with the installed one.")
        }
        // What a person says of the first ones counts, as it comes later.
        var arguments = ["--job-name=rushes", "--requeue", "--open-mode=append", "--output=%A_%a.log"] + options
        // The folder is no part of the logs' names, in which sbatch reads more than a path.
        arguments += ["--chdir=\(remote.taskFolder.string)", "--array=\(array.text(jobs: jobs))"]
        arguments += [script.string, command, onNodes ?? path, "\(array.offset)"]
        let submission = BatchSubmission(
            job: try Slurm.submit(arguments), offset: array.offset, count: array.tasks.count)
        try plan.folder.add(submission)
        return submission
    }
}
