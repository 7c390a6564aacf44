import ArgumentParser
import Errors
import Export
import SystemPackage

/// `rushes batch run-one`: one file of a batch.
struct BatchStepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run-one",
        abstract: "Export one file of a batch, unless it is done.",
        discussion: """
            Steps of one batch may run on many machines that see its folder. If two want the same file, one exports it, and the other \
            waits for that. What a \
            dead machine has begun is begun again, by a task that Slurm has requeued at once, by others when it has not \
            responded for a minute.

            EXAMPLES
              rushes batch run-one out 0       the first file of the batch in out

            EXIT STATUS
              0    the output is there
              1    failed or cancelled; nothing is left
              64   wrong usage, or there is no such file
            """)

    @Argument(help: "The manifest, or the folder of the outputs.", completion: .file(), transform: localPath)
    var manifest: String
    @Argument(help: "The number of the file, from 0.") var index: Int
    @Option(
        help: ArgumentHelp(
            "How much stays free on the disk of the outputs, such as 2G; 64MiB if left out, less on a small disk; 0 for nothing.",
            valueName: "size"))
    var minFree: FreeBytes?
    @Flag(help: "Report it in the batch's folder only, not among this machine's activities.") var noActivity =
        false
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        Term.useOptions(except: [.overwriting: "plan the batch again with --overwrite"])
        try await reportingFailures(verbose: output.verbose) {
            let plan = try BatchPlan(resuming: BatchFolder(containing: FilePath(typed: manifest)), step: index)
            try await BatchRun(
                plan: plan, minFree: minFree?.bytes, step: index, isListed: !noActivity, output: output
            ).run()
        }
    }
}
