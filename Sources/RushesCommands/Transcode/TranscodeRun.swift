import ArgumentParser
import Export
import Foundation
import LiveActivity
import Rushes
import SystemPackage
import Threads

/// Runs one export, shown as an activity; a signal or whoever watches it may end it.
struct TranscodeRun {
    let destination: MovieDestination
    let output: OutputOptions
    /// What becomes a file each; nil: all is one.
    var parts: [PartChoice]?
    /// Bytes that have to be free before it begins; as many as usual if left out.
    var minFree: Int64?
    /// Makes the session; it writes thumbnails to the path, and tells of its activity.
    let session: (_ thumbnail: FilePath?, _ onActivity: @escaping @Sendable (Activity) -> Void) throws -> ExportSession

    /// - Throws: ``ExitCode`` 130 if it was cancelled; what made it fail.
    func run() async throws {
        let thumbnail = ActivityJournal().thumbnailPath()
        let journal = ActivityJournal().keep()
        let display = TranscodeDisplay(output)
        let activity = Locked<String?>(nil)
        let session = try session(thumbnail) { new in
            activity.withLock { $0 = new.id }
            BegunCommand.keep(of: new)
            display.start(new)
        }
        let destination = destination
        // Signals are trapped before anything is begun or told: who has read of the start may interrupt it.
        let stop = StopRequest<Task<SeparateFiles, any Error>> { $0.cancel() }
        let signals = await StopSignals.watch { await stop.stop() }
        defer { signals.cancel() }
        let work = Task { [parts, minFree] in
            guard let parts else { return SeparateFiles([try await session.export(to: destination)]) }
            return try await session.export(parts, to: destination, keepingFree: minFree)
        }
        await stop.attach(work)
        let result = await work.result
        await display.end(result, of: session)
        await journal.finish()
        switch result {
        case .success: activity.withLock { $0 }.map { ActivityJournal().forgetCommand(of: $0) }
        case .failure(is CancellationError): throw ExitStatus.interrupted
        case .failure(let error): throw error
        }
    }
}

/// This process's own command line, kept for whoever wants to begin it again.
enum BegunCommand {
    /// - Parameter resuming: whether what is done already is to be left as it is then.
    static func keep(of activity: Activity, resuming: Bool = false) {
        let own = Array(CommandLine.arguments.dropFirst())
        // Not behind a "--", where it would be a file.
        let arguments =
            resuming && !own.contains("--resume") ? own.prefix(1) + ["--resume"] + own.dropFirst() : own[...]
        ActivityJournal().keep(
            ActivityCommand(arguments: Array(arguments), folder: FileManager.default.currentDirectoryPath),
            of: activity.id)
    }
}
