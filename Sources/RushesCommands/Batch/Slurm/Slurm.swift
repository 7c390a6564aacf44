import Errors
import Export
import Foundation
import Threads

/// Slurm's commands. Each gets its arguments as they are; no shell reads them.
enum Slurm {
    /// What each task runs: nothing of it is a person's text.
    static let taskScript = """
        #!/bin/sh
        # A task of an array job: one file of a batch. Its arguments: the command, the batch's folder, the number of task 0's file.
        # Where a node does not have the command in the same place, the one in PATH is taken.
        rushes=$1
        [ -x "$rushes" ] || rushes=rushes
        exec "$rushes" batch run-one --no-activity --progress none "$2" "$(($3 + SLURM_ARRAY_TASK_ID))"

        """

    /// How many numbers tasks of an array may have.
    static func arrayLimit() -> Int {
        let usual = 1001
        guard let answer = try? run("scontrol", ["show", "config"]), answer.status == 0 else { return usual }
        let line = answer.words.split(separator: "\n").first { $0.hasPrefix("MaxArraySize") }
        let number = line?.split(separator: "=").last?.trimmingCharacters(in: .whitespaces)
        return number.flatMap { Int($0) }.map { max(1, $0) } ?? usual
    }

    /// Hands a job over.
    ///
    /// - Returns: its number.
    /// - Throws: ``RushesError`` with what sbatch said where it gave none.
    static func submit(_ arguments: [String]) throws -> String {
        guard NewProcess.path(of: "sbatch") != nil else {
            throw RushesError(.badInput, "sbatch is not installed here; submit on a machine with Slurm's commands.")
        }
        // With --wait it ends when the job does.
        let answer = try run("sbatch", ["--parsable"] + arguments, within: .seconds(10_000_000))
        let lines = answer.words.split(separator: "\n").map(String.init)
        let job = lines.lastIndex { $0.wholeMatch(of: #/\d+(;.*)?/#) != nil }
        guard let job, let number = lines[job].split(separator: ";").first else {
            throw RushesError(.badInput, "sbatch did not accept the job: \(lines.joined(separator: " "))")
        }
        for (index, line) in lines.enumerated() where index != job { StandardStreams.printNote(line) }
        return String(number)
    }

    /// Which items Slurm has still to do, or does, of jobs that were handed over; `nil` where it does not tell.
    ///
    /// - Parameter isOver: whether an item's last attempt has come to an end, so that a task does nothing more of it that is just ending. Of others
    ///   that may be one whose node died, which Slurm queues again.
    static func queued(_ submissions: [BatchSubmission], isOver: (Int) -> Bool = { _ in false }) -> Set<Int>? {
        guard !submissions.isEmpty, NewProcess.path(of: "squeue") != nil else { return nil }
        let jobs = submissions.map(\.job).joined(separator: ",")
        guard let answer = try? run("squeue", ["--noheader", "--array", "--format=%i %T", "--jobs=\(jobs)"]) else {
            return nil
        }
        // What ended long ago is not known any more.
        if answer.status != 0 { return answer.words.contains("Invalid job id") ? [] : nil }
        let offsets = Dictionary(submissions.map { ($0.job, $0.offset) }) { first, _ in first }
        return Set(
            answer.words.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                let parts = words.first?.split(separator: "_") ?? []
                guard parts.count == 2, let offset = offsets[String(parts[0])], let task = Int(parts[1]) else {
                    return nil
                }
                let item = task + offset
                return words.last == "COMPLETING" && isOver(item) ? nil : item
            })
    }

    private static func run(_ program: String, _ arguments: [String], within limit: Duration = .seconds(20)) throws
        -> ChildProcess
    {
        try ChildProcess(program, arguments, within: limit, while: { true })
    }
}
