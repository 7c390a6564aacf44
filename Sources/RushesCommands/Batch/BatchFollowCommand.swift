import ArgumentParser
import Export
import Foundation
import LiveActivity
import MovieFiles
import SystemPackage
import Threads

/// `rushes batch follow`: how far a batch is that others work on.
struct BatchFollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Show the progress of a batch that other processes or machines work on.",
        discussion: """
            Reads the batch's folder, wherever that is seen, and shows one activity until nothing is left to do; 'rushes \
            activities' and the page show it too. Ctrl-C stops following, not the batch.

            EXAMPLES
              rushes batch follow out
              rushes batch follow out --json | jq -r '."content-state".subtitle'

            EXIT STATUS
              0    every output is there
              1    some are not
              64   wrong usage
            """)

    @Argument(help: "The manifest, or the folder of the outputs.", completion: .file(), transform: localPath)
    var manifest: String
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        try await reportingFailures(verbose: output.verbose) {
            let folder = BatchFolder(containing: FilePath(typed: manifest))
            let plan = try BatchPlan(resuming: folder)
            let journal = ActivityJournal().keep()
            let display = BatchDisplay(output)
            let follower = try BatchFollower(plan)
            let signals = await StopSignals.watch { follower.stop() }
            display.follow(batch: follower.activity)
            let queue = SlurmWatch(folder)
            let batch = try await follower.run { await queue.isQueued() }
            signals.cancel()
            await display.finish()
            for line in batch.words(of: folder.outputs.wireText) { StandardStreams.printNote(line) }
            await journal.finish()
            guard batch.isComplete else { throw ExitStatus.failure }
        }
    }
}

/// Asks Slurm now and then whether it will still begin tasks of a batch.
private actor SlurmWatch {
    private let folder: BatchFolder
    private var latest: (answer: Bool?, time: ContinuousClock.Instant)?

    init(_ folder: BatchFolder) { self.folder = folder }

    func isQueued() async -> Bool? {
        if let latest, .now - latest.time < Self.interval { return latest.answer }
        let folder = folder
        let answer = await onOwnThread("rushes-slurm", orAfter: .seconds(30), otherwise: nil) {
            Slurm.queued(folder.submissions()).map { !$0.isEmpty }
        }
        latest = (answer, .now)
        return answer
    }

    /// A controller that thousands ask is slow for all.
    private static let interval = Duration.seconds(10)
}

extension FollowedBatch {
    /// For people: one line, one for the nodes, one for each file that failed or was lost, and how what is left is done.
    func words(of folder: String) -> [String] {
        var parts = ["\(done) done"]
        if !failures.isEmpty { parts.append("\(failures.count) failed") }
        if !cancellations.isEmpty { parts.append("\(cancellations.count) cancelled") }
        if left > cancellations.count { parts.append("\(left - cancellations.count) left") }
        if begunAgain > 0 { parts.append("\(begunAgain) begun more than once") }
        var lines = [parts.joined(separator: ", ") + "."]
        if nodes.count > 1 {
            lines.append(nodes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") + ".")
        }
        lines += (failures + cancellations + losses).map { "rushes: \(Sentence($0).text)" }
        if !isComplete {
            lines.append(
                "Submit the rest with 'rushes batch submit \(folder) --resume --slurm', or export it here with 'rushes transcode "
                    + "--resume --output-directory \(folder)'.")
        }
        return lines
    }
}
