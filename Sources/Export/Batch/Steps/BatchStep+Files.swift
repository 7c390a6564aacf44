import Encoding
import Errors
import FileSystem
import Foundation
import MovieFiles
import SystemPackage

/// The order of a step's writes: at each moment, a kill or a power cut leaves what the next run understands.
///
///     claim N  ->  record "running"  ->  the export writes in the work folder  ->  claim N + 1, which nobody else has taken
///     ->  record "finishing", which names the complete file  ->  it gets its name  ->  record "done"  ->  work folder and claims go
extension BatchStep {
    enum Preparation: Sendable {
        case over(BatchOutcome)
        /// The output was complete when its process died.
        case complete(BatchRecord)
        case export(BatchRecord, FolderDescriptor)
    }

    /// What came of it before, where it is done: that needs no claim.
    func doneBefore() -> BatchOutcome? {
        guard let record = folder.record(of: item), record.state == .done, let there = FileVersion(item.output),
            there == record.result, fits(record, FileVersion(item.input))
        else { return nil }
        folder.removeWork(of: item, record.starts)
        return outcome(record, .skipped)
    }

    private func fits(_ record: BatchRecord, _ source: FileVersion?) -> Bool {
        record.fits(input: item.input.wireText, source: source, insets: insets, settings: plan.settings)
    }

    /// Whether the output of an earlier run, of this input, may be replaced without having been asked for.
    func isReplaceable(_ record: BatchRecord) -> Bool {
        plan.renewsOutputs || fits(record, FileVersion(item.input))
    }

    func prepare(_ hold: BatchHold) throws -> Preparation {
        // Somebody may have done it meanwhile.
        if let outcome = doneBefore() { return .over(outcome) }
        do { return try prepare(attempt: hold.number, overtaking: hold.overtaken) } catch {
            let before = folder.record(of: item)
            // What is there was kept, so that it is done is still true: the settings with which it was made may be given again.
            if let before, before.state == .done || before.state == .finishing,
                (error as? RushesError)?.code == .fileExists
            {
                throw error
            }
            // Whoever follows the batch elsewhere finds it there.
            var record =
                before
                ?? BatchRecord(
                    state: .failed, input: item.input.wireText, source: FileVersion(item.input), insets: insets,
                    settings: plan.settings)
            record.begin(hold.number, by: worker, overtaking: hold.overtaken, after: before)
            record.end(.failed)
            record.reason = "\(error)"
            try? folder.write(record, of: item)
            throw error
        }
    }

    func prepare(attempt: Int, overtaking overtaken: [BatchAttempt] = []) throws -> Preparation {
        let source = FileVersion(item.input)
        let there = FileVersion(item.output)
        let record = folder.record(of: item)
        if let record, record.state == .finishing, let result = record.result, fits(record, source),
            result == there || result == version(ofAttempt: record.starts)
        {
            return .complete(record)
        }
        guard let source else { throw RushesError(.badInput, "\(item.input.wireText) does not exist.") }
        if let reason = BatchPlan.nameProblem(of: item, longest: folder.outputs.longestName) {
            throw RushesError(.notWritable, on: item.output.string, reason)
        }
        try checkFolder()
        let isOurs = record.map { $0.isOf(item.input) && $0.hasMade(there) } ?? false
        if there != nil, !plan.replacesExisting {
            guard isOurs else { throw exists }
            guard record.map(isReplaceable) == true else {
                throw RushesError(.fileExists, on: item.output.string, earlier)
            }
        }
        var next = BatchRecord(
            state: .running, input: item.input.wireText, source: source, insets: insets, settings: plan.settings)
        next.previous = isOurs ? there : nil
        next.begin(attempt, by: worker, overtaking: overtaken, after: record)
        for earlier in max(1, record?.starts ?? 1)..<max(1, record?.starts ?? 1, attempt) {
            folder.removeWork(of: item, earlier)
        }
        try folder.write(next, of: item)
        return .export(next, try folder.makeWork(of: item, attempt))
    }

    /// What an attempt has written, if it is there.
    private func version(ofAttempt attempt: Int) -> FileVersion? {
        folder.work(of: item, attempt).flatMap { FileVersion(draft(in: $0)) }
    }

    /// What would keep the complete file from its place, said before it is made.
    private func checkFolder() throws {
        let target = item.output.removingLastComponent()
        guard target != folder.outputs else { return }
        try folder.makeFolder(of: item)
        if let reason = target.writeRefusal {
            throw RushesError("The folder \(target.wireText) cannot be written to", reason)
        }
        guard FileStatus(target)?.device == FileStatus(folder.outputs)?.device else {
            throw RushesError(
                .notWritable, on: item.output.string,
                "\(target.wireText) is on another disk than \(folder.outputs.wireText); choose another folder for the outputs."
            )
        }
    }

    /// As they are now; `nil` where there are none, or one is missing.
    private var insets: [FileVersion]? {
        let insets = item.insets.compactMap { FileVersion($0) }
        return insets.isEmpty || insets.count < item.insets.count ? nil : insets
    }

    func finish(_ begun: BatchRecord, _ hold: BatchHold, _ work: FolderDescriptor) throws -> BatchOutcome {
        guard begun.isSource(FileVersion(item.input), of: item.input.wireText), begun.hasInsets(insets) else {
            throw RushesError(.badInput, "\(item.input.wireText) was changed while it was exported; export it again.")
        }
        guard let result = FileVersion(draft(in: work)) else {
            throw RushesError(.encoderFailed, "The export of \(item.input.wireText) wrote no file.")
        }
        guard try hold.close() else { throw overtaken }
        var record = begun
        record.state = .finishing
        record.result = result
        record.completions += 1
        try folder.write(record, of: item)
        return try complete(record, .done, work)
    }

    /// Gives the complete file its name.
    ///
    /// - Parameter work: the folder in which it is; looked for where it is an earlier process's.
    func complete(
        _ finishing: BatchRecord, _ kind: BatchOutcome.Kind, _ work: FolderDescriptor? = nil
    ) throws -> BatchOutcome {
        let work = work ?? folder.work(of: item, finishing.starts)
        if let draft = work.map({ draft(in: $0) }), let result = finishing.result, FileVersion(draft) == result,
            FileVersion(item.output) != result
        {
            let there = FileVersion(item.output)
            let replaces = plan.replacesExisting || (there != nil && there == finishing.previous)
            try folder.makeFolder(of: item)
            // Whoever seemed to be dead may have done it just now.
            do { try move(draft, replacing: replaces) } catch { if FileVersion(item.output) != result { throw error } }
            folder.synchronizeFolders(of: item)
        }
        var record = finishing
        record.end(.done)
        record.previous = nil
        // Should that fail, "finishing" and the file itself say the same.
        try? folder.write(record, of: item)
        folder.removeWork(of: item, finishing.starts)
        return outcome(record, kind)
    }

    private func move(_ draft: FilePath, replacing: Bool) throws {
        do {
            try draft.moveFile(to: item.output, replacing: replacing)
        } catch {
            guard error != .fileExists else { throw exists }
            throw RushesError(.encoderFailed, "\(item.output.wireText) cannot be written: \(error).")
        }
    }

    private var exists: RushesError {
        RushesError(
            .fileExists, on: item.output.string,
            "\(item.output.wireText) already exists; choose another folder, or \(Term.overwriting).")
    }

    /// Why an output is kept that was made of another file of the input's name, or with other settings.
    var earlier: String {
        "\(item.output.wireText) is there from an earlier batch, of another file or with other settings; choose another folder, or "
            + "\(Term.overwriting)."
    }

    private func outcome(_ record: BatchRecord, _ kind: BatchOutcome.Kind) -> BatchOutcome {
        var outcome = BatchOutcome(kind)
        (outcome.notes, outcome.remarks) = (record.notes, record.remarks ?? [])
        outcome.copiesFrames = record.copiesFrames
        outcome.inputSize = record.source?.size ?? 0
        outcome.outputSize = record.result?.size ?? 0
        return outcome
    }
}

extension BatchPlan {
    /// The numbers of the items whose outputs are not there as they should be.
    package func undone() -> [Int] {
        items.indices.filter { BatchStep(item: items[$0], plan: self).doneBefore() == nil }
    }

    /// Whether the last attempt at the item of a number has come to an end, well or not.
    package func isOver(_ number: Int) -> Bool {
        items.indices.contains(number) && folder.record(of: items[number])?.state.isOver == true
    }
}
