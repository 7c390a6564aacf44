import Encoding
import Errors
import FileSystem
import Foundation
import LiveActivity
import MovieFiles
import SystemPackage
import Threads

/// Does one item once, whoever asks, however often, and from however many processes and machines: what is done is left as it
/// is, what was in flight is done again.
struct BatchStep: Sendable {
    let item: BatchItem
    let plan: BatchPlan
    /// Bytes that have to be free before it begins; as many as for any export if left out.
    var minimumFreeSpace: Int64?
    var worker = BatchWorker.current
    var timing = BatchClaimTiming()

    var folder: BatchFolder { plan.folder }

    /// - Parameter waits: is told whose end is waited for, in a sentence.
    /// - Throws: ``RushesError``: `diskFull` where it may work later, `cancelled` if its task was.
    @concurrent func run(
        _ exporter: BatchExporter, waits: @Sendable (String) async -> Void = { _ in },
        begun: @Sendable (BatchExport) async -> Void = { _ in },
        report: @escaping @Sendable (ExportProgress) async -> Void = { _ in }
    ) async throws -> BatchOutcome {
        // Disks block; these threads are not those that Swift's tasks share.
        if let outcome = try await onOwnThread("rushes-batch", { doneBefore() }) { return outcome }
        let hold: BatchHold
        switch try await claim(waits) {
        case .mine(let own): hold = own
        case .over(let outcome): return outcome
        }
        do {
            let outcome = try await attempt(hold, exporter, begun, report)
            await release(hold)
            return outcome
        } catch {
            await release(hold)
            throw error
        }
    }

    private func attempt(
        _ hold: BatchHold, _ exporter: BatchExporter, _ begun: @Sendable (BatchExport) async -> Void,
        _ report: @escaping @Sendable (ExportProgress) async -> Void
    ) async throws -> BatchOutcome {
        switch try await onOwnThread("rushes-batch", { try prepare(hold) }) {
        case .over(let outcome): return outcome
        case .complete(let record): return try await onOwnThread("rushes-batch") { try complete(record, .skipped) }
        case .export(let record, let work): return try await export(record, work, hold, exporter, begun, report)
        }
    }

    private func export(
        _ begun: BatchRecord, _ work: FolderDescriptor, _ hold: BatchHold, _ exporter: BatchExporter,
        _ hand: @Sendable (BatchExport) async -> Void, _ report: @escaping @Sendable (ExportProgress) async -> Void
    ) async throws -> BatchOutcome {
        var record = begun
        do {
            let export = exporter(
                BatchWork(
                    input: item.input, insets: item.insets, settings: plan.placedSettings,
                    destination: MovieDestination(draft(in: work)), minimumFreeSpace: minimumFreeSpace,
                    thumbnail: thumbnail(in: work)))
            await hand(export)
            try Task.checkCancellation()
            let result = try await run(export, hold, report)
            (record.notes, record.remarks) = (result.notes, result.remarks)
            record.copiesFrames = result.copiesFrames
            return try await onOwnThread("rushes-batch") { [record] in try finish(record, hold, work) }
        } catch {
            let failure = renamed(error, work)
            // On a full disk it is done later, by whoever comes: one that waits for this attempt begins it then.
            record.end([.cancelled, .diskFull].contains(failure.code) ? .cancelled : .failed)
            record.reason = failure.description
            record.fraction = hold.fraction
            await onOwnThreadIgnoringFailure { [record] in
                folder.removeWork(of: item, hold.number)
                // Whoever has overtaken this attempt keeps the record from now on. On a full disk the old one says that it was
                // begun, which serves as well.
                if hold.isOurs { try? folder.write(record, of: item) }
            }
            throw failure
        }
    }

    /// Of a cluster's task nobody could show it.
    private func thumbnail(in work: FolderDescriptor) -> FilePath? {
        guard worker.task == nil else { return nil }
        return ActivityJournal().thumbnailPath() ?? work.locationForOthers.appending("thumbnail.jpg")
    }

    /// The file in the work folder, under a name that every program can read.
    func draft(in work: FolderDescriptor) -> FilePath {
        var name = FilePath("movie")
        name.extension = item.output.extension ?? "mov"
        return work.location.pushing(name)
    }

    /// The same reason about the file that people know.
    private func renamed(_ error: any Error, _ work: FolderDescriptor) -> RushesError {
        let code: RushesError.Code =
            switch error {
            case let error as RushesError: error.code
            case is CancellationError: .cancelled
            default: .encoderFailed
            }
        let reason = code == .cancelled ? "Cancelled." : "\(error)"
        return RushesError(
            code, on: item.input.string, reason.replacing(draft(in: work).wireText, with: item.output.wireText),
            underlying: error)
    }
}

/// Its claim.
extension BatchStep {
    private enum Claimed {
        case mine(BatchHold)
        /// Somebody else has done it meanwhile.
        case over(BatchOutcome)
    }

    /// Waits while somebody else works on the item, and where nobody knows, until that is seen.
    ///
    /// - Throws: ``RushesError`` with the reason for which the other one failed.
    private func claim(_ waits: @Sendable (String) async -> Void) async throws -> Claimed {
        var watch = BatchClaimWatch()
        var other: Int?
        while true {
            if let other, let outcome = try await onOwnThread("rushes-batch", { try outcome(ofAttempt: other) }) {
                return .over(outcome)
            }
            let silent = watch.silent
            switch try await onOwnThread("rushes-batch", { try folder.claim(item, as: worker, silent: silent) }) {
            case .held(let hold):
                // The other one may have ended just now.
                guard let other else { return .mine(hold) }
                do {
                    guard let outcome = try await onOwnThread("rushes-batch", { try outcome(ofAttempt: other) }) else {
                        return .mine(hold)
                    }
                    await release(hold)
                    return .over(outcome)
                } catch {
                    await release(hold)
                    throw error
                }
            case .again: continue
            case .taken(let found):
                other = found.number
                await waits(waiting(for: found.claim))
            case .unknown(let found):
                if watch.look(found.number, beat: found.claim?.beat, silence: timing.silence) == true {
                    other = found.number
                    await waits(waiting(for: found.claim))
                }
            }
            guard (try? await Task.sleep(for: timing.look)) != nil else {
                throw RushesError(.cancelled, on: item.input.string, "Cancelled.")
            }
        }
    }

    /// What came of somebody else's attempt; `nil` while it is under way, and where it was given up.
    private func outcome(ofAttempt number: Int) throws -> BatchOutcome? {
        if let outcome = doneBefore() { return outcome }
        guard let record = folder.record(of: item), record.starts >= number, record.state == .failed else { return nil }
        throw RushesError(.badInput, record.reason ?? "\(item.input.wireText) could not be exported.")
    }

    /// Exports, and says all the while that it does.
    private func run(
        _ export: BatchExport, _ hold: BatchHold, _ report: @escaping @Sendable (ExportProgress) async -> Void
    ) async throws -> ExportResult {
        try await withThrowingTaskGroup(of: ExportResult.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await export.run { progress in
                    hold.note(progress)
                    await report(progress)
                }
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: timing.beat)
                    guard try await onOwnThread("rushes-claim", { hold.beat() }) else { throw overtaken }
                }
            }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    private func release(_ hold: BatchHold) async { await onOwnThreadIgnoringFailure { hold.release() } }

    private func waiting(for claim: BatchClaim?) -> String {
        let place = claim.map { $0.worker.node == worker.node ? "" : ", on \($0.worker.node)" } ?? ""
        return "Another process is already exporting \(item.input.wireText)\(place); waiting for that."
    }

    var overtaken: RushesError {
        RushesError(
            .badInput,
            "The export of \(item.input.wireText) was taken over by another machine, as this one had not responded for a minute."
        )
    }

    private func onOwnThreadIgnoringFailure(_ body: @escaping @Sendable () -> Void) async {
        _ = try? await onOwnThread("rushes-batch", body)
    }
}
