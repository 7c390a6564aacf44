import ArgumentParser
import Export
import Foundation
import MovieFiles
import SystemPackage
import Threads

/// `rushes batch submit`: a batch for a cluster.
struct BatchSubmitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit",
        abstract: "Submit a batch to a cluster's scheduler, a task for each file.",
        discussion: """
            The batch is one that 'rushes batch plan' wrote down, in a folder that all nodes see; the inputs on the same disk \
            are found from there, wherever it is mounted. What follows --slurm is sbatch's: --partition, --time and so on. Each \
            task does one file and is requeued when its node dies; the batch's folder keeps which node did what. The number \
            of the job is printed.

            EXAMPLES
              rushes batch plan clips --output-directory out --preset hevc
              rushes batch submit out --slurm --partition main --cpus-per-task 4
              rushes batch follow out
              rushes batch submit out --resume --slurm --partition main

            EXIT STATUS
              0    submitted, or all is done
              1    Slurm refused it
              64   wrong usage
            """)

    @Argument(help: "The manifest, or the folder of the outputs.", completion: .file(), transform: localPath)
    var manifest: String
    @Flag(help: "Submit what is not done, and that Slurm does not have already.") var resume = false
    @Option(
        help: ArgumentHelp(
            "How many files are exported at a time; as many as the cluster takes if left out.", valueName: "n"))
    var jobs: Int?
    @Option(
        help: ArgumentHelp(
            "What the nodes call the folder of the outputs, where that differs from here.", valueName: "folder"))
    var onNodes: String?
    @Flag(help: "Print one JSON object for each job.") var json = false
    @Option(
        parsing: .remaining,
        help: ArgumentHelp("Submit it to Slurm; all that follows are sbatch's options.", valueName: "option"))
    var slurm: [String] = []

    private struct Line: Encodable {
        var job: String
        var files: Int
    }

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be 1 or more.") }
        guard CommandLine.arguments.contains(where: { $0 == "--slurm" || $0.hasPrefix("--slurm=") }) else {
            throw ValidationError("Name the scheduler: --slurm.")
        }
        if let onNodes, !onNodes.hasPrefix("/") { throw ValidationError("--on-nodes must be an absolute path.") }
        for option in options where Self.own.contains(where: { option == $0 || option.hasPrefix("\($0)=") }) {
            throw ValidationError(
                "\(option) is what the batch itself tells sbatch; leave it out, or use --jobs to limit it.")
        }
    }

    /// What sbatch would take for another job, or another part of it.
    private static let own = ["--array", "-a", "--wrap", "--parsable", "--chdir", "-D"]
    /// This command's own flags, which people write behind --slurm too; sbatch has none of these names.
    private static let flags = ["--resume", "--json"]

    private var options: [String] {
        guard let end = slurm.firstIndex(of: "--") else { return slurm.filter { !Self.flags.contains($0) } }
        return slurm[..<end].filter { !Self.flags.contains($0) } + slurm[(end + 1)...]
    }

    private func has(_ flag: String) -> Bool {
        (slurm.firstIndex(of: "--").map { slurm[..<$0] } ?? slurm[...]).contains(flag)
    }

    func run() async throws {
        try await reportingFailures(verbose: false) {
            let plan = try BatchPlan(resuming: BatchFolder(containing: FilePath(typed: manifest)))
            let (isResuming, isJSON) = (resume || has("--resume"), json || has("--json"))
            let submission = SlurmSubmission(plan: plan, jobs: jobs, onNodes: onNodes, options: options)
            let jobs = try await onOwnThread {
                try submission.arrays(isResuming: isResuming).map { try submission.submit($0) }
            }
            guard !jobs.isEmpty else { return }
            for job in jobs {
                let line = Line(job: job.job, files: job.count)
                StandardStreams.printResult(isJSON ? try JSONText.line(line) : job.job)
            }
            let count = jobs.reduce(0) { $0 + $1.count }
            StandardStreams.printNote(
                "\(count) of \(plan.items.count) files submitted; 'rushes batch follow \(plan.folder.outputs.wireText)' shows the progress."
            )
        }
    }
}
