import LiveActivity
import Encoding
import Errors
import FileSystem
import Foundation
import MovieFiles
import SystemPackage
import Threads

/// Does one item once, whoever asks, however often, and from however many processes: what is done is left as it is, what
/// was in flight is done again.
struct BatchStep: Sendable {
    let item: BatchItem
    let plan: BatchPlan
    let lock: BatchLock

    var folder: BatchFolder { plan.folder }

    /// - Throws: ``RushesError`` and ``RushesError``: `diskFull` where it may work later, `cancelled` if its task was.
    @concurrent func run(
        _ exporter: BatchExporter, begun: @Sendable (BatchExport) async -> Void = { _ in },
        report: @escaping @Sendable (ExportProgress) async -> Void = { _ in }
    ) async throws -> BatchOutcome {
        let place = BatchLock.place(of: item)
        guard try lock.take(place) else {
            throw RushesError(.badInput, "Another process is already exporting \(item.input.wireText).")
        }
        defer { lock.release(place) }
        // Disks block; these threads are not those that Swift's tasks share.
        switch try await onOwnThread("rushes-batch", { try prepare() }) {
        case .over(let outcome): return outcome
        case .complete(let record): return try await onOwnThread("rushes-batch") { try complete(record, .skipped) }
        case .export(let record): return try await export(record, exporter, begun, report)
        }
    }

    private func export(
        _ begun: BatchRecord, _ exporter: BatchExporter, _ hand: @Sendable (BatchExport) async -> Void,
        _ report: @escaping @Sendable (ExportProgress) async -> Void
    ) async throws -> BatchOutcome {
        var record = begun
        do {
            let export = exporter(
                BatchWork(
                    input: item.input, insets: item.insets, settings: plan.settings,
                    destination: MovieDestination(draft),
                    thumbnail: ActivityJournal().thumbnailPath()
                        ?? folder.workFolder(of: item).appending("thumbnail.jpg")))
            await hand(export)
            try Task.checkCancellation()
            let result = try await export.run(report)
            record.notes = result.notes
            record.copiesFrames = result.copiesFrames
            return try await onOwnThread("rushes-batch") { [record] in try finish(record) }
        } catch {
            let failure = renamed(error)
            record.state = failure.code == .cancelled ? .cancelled : .failed
            record.reason = failure.description
            await onOwnThreadIgnoringFailure { [record] in
                folder.removeWork(of: item)
                // On a full disk the old record says that it was begun, which serves as well.
                try? folder.write(record, of: item)
            }
            throw failure
        }
    }

    /// The file in the work folder, under a name that every program can read.
    var draft: FilePath {
        var name = FilePath("movie")
        name.extension = item.output.extension ?? "mov"
        return folder.workFolder(of: item).pushing(name)
    }

    /// The same reason about the file that people know.
    private func renamed(_ error: any Error) -> RushesError {
        let code: RushesError.Code =
            switch error {
            case let error as RushesError: error.code
            case is CancellationError: .cancelled
            default: .encoderFailed
            }
        let reason = code == .cancelled ? "Cancelled." : "\(error)"
        return RushesError(
            code, on: item.input.string, reason.replacing(draft.wireText, with: item.output.wireText), underlying: error
        )
    }

    private func onOwnThreadIgnoringFailure(_ body: @escaping @Sendable () -> Void) async {
        _ = try? await onOwnThread("rushes-batch", body)
    }
}
