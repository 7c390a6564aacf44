import Encoding
import Errors
import FileSystem
import Foundation
import MovieFiles
import SystemPackage

/// The order of a step's writes: at each moment, a kill or a power cut leaves what the next run understands.
///
///     record "running"  ->  the export writes in the work folder  ->  record "finishing", which names the complete file
///     ->  it gets its name  ->  record "done"  ->  the work folder goes
extension BatchStep {
    enum Preparation: Sendable {
        case over(BatchOutcome)
        /// The output was complete when its process died.
        case complete(BatchRecord)
        case export(BatchRecord)
    }

    func prepare() throws -> Preparation {
        let source = FileIdentity(item.input)
        let there = FileIdentity(item.output)
        let record = folder.record(of: item)
        if let record,
            record.fits(input: item.input.wireText, source: source, insets: insets, settings: plan.settings)
        {
            if record.state == .done, let there, there == record.result {
                folder.removeWork(of: item)
                return .over(outcome(record, .skipped))
            }
            if record.state == .finishing, let result = record.result {
                if result == there || result == FileIdentity(draft) { return .complete(record) }
            }
        }
        guard let source else { throw RushesError(.badInput, "\(item.input.wireText) does not exist.") }
        let isOurs = there != nil && (record?.result == there || record?.previous == there)
        guard there == nil || isOurs || plan.replacesExisting else { throw exists }
        var next = BatchRecord(
            state: .running, input: item.input.wireText, source: source, insets: insets, settings: plan.settings)
        next.previous = isOurs ? there : nil
        next.starts = (record?.starts ?? 0) + 1
        next.completions = record?.completions ?? 0
        folder.removeWork(of: item)
        try folder.write(next, of: item)
        try folder.makeWork(of: item)
        return .export(next)
    }

    /// As they are now; `nil` where there are none, or one is missing.
    private var insets: [FileIdentity]? {
        let insets = item.insets.compactMap { FileIdentity($0) }
        return insets.isEmpty || insets.count < item.insets.count ? nil : insets
    }

    func finish(_ begun: BatchRecord) throws -> BatchOutcome {
        guard FileIdentity(item.input) == begun.source, insets == begun.insets else {
            throw RushesError(.badInput, "\(item.input.wireText) was changed while it was exported; export it again.")
        }
        guard let result = FileIdentity(draft) else {
            throw RushesError(.encoderFailed, "The export of \(item.input.wireText) wrote no file.")
        }
        var record = begun
        record.state = .finishing
        record.result = result
        record.completions += 1
        try folder.write(record, of: item)
        return try complete(record, .done)
    }

    /// Gives the complete file its name.
    func complete(_ finishing: BatchRecord, _ kind: BatchOutcome.Kind) throws -> BatchOutcome {
        if let result = finishing.result, FileIdentity(draft) == result, FileIdentity(item.output) != result {
            let there = FileIdentity(item.output)
            let replaces = plan.replacesExisting || (there != nil && there == finishing.previous)
            try move(replacing: replaces)
            folder.outputs.synchronizeFolder()
        }
        var record = finishing
        record.state = .done
        record.previous = nil
        // Should that fail, "finishing" and the file itself say the same.
        try? folder.write(record, of: item)
        folder.removeWork(of: item)
        return outcome(record, kind)
    }

    private func move(replacing: Bool) throws {
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

    private func outcome(_ record: BatchRecord, _ kind: BatchOutcome.Kind) -> BatchOutcome {
        var outcome = BatchOutcome(kind)
        outcome.notes = record.notes
        outcome.copiesFrames = record.copiesFrames
        outcome.inputSize = record.source.size
        outcome.outputSize = record.result?.size ?? 0
        return outcome
    }
}
