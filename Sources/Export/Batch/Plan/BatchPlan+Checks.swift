import Encoding
import Errors
import FileSystem
import Foundation
import MovieFiles
public import SystemPackage

/// What is wrong with a batch or one of its items: found before the first export, or why an item failed.
public struct BatchProblem: Sendable, Hashable {
    /// `nil` where the whole batch has it.
    public let input: FilePath?
    /// One sentence with the cure.
    public let reason: String
    /// Whether the batch is not to begin: a file is in the way, say, or no item can be exported. One that is missing, or whose output
    /// another input has, fails by itself.
    public let isFatal: Bool

    /// The reason, with the input's name.
    package var sentence: String { input.map { BatchItem.sentence(reason, about: $0) } ?? reason }
}

extension BatchPlan {
    /// Looks at the folder and at every item; reads no media.
    ///
    /// - Parameter isResuming: whether outputs of an earlier run are expected.
    public func problems(isResuming: Bool = false) -> [BatchProblem] {
        if let problem = folderProblem { return [problem] }
        let inputs = Dictionary(
            items.flatMap { item in item.inputs.compactMap { path in Inode(path).map { ($0, path) } } }
        ) { first, _ in first }
        var takers: [FilePath: BatchItem] = [:]
        var problems: [BatchProblem] = []
        let longest = folder.existingOutputs.longestName
        for item in items {
            func add(_ reason: String, isFatal: Bool = false) {
                problems.append(BatchProblem(input: item.input, reason: reason, isFatal: isFatal))
            }
            if let other = takers[item.name] {
                add(item.conflict(with: other.input))
                continue
            }
            takers[item.name] = item
            if let reason = Self.nameProblem(of: item, longest: longest) {
                add(reason)
            } else if let input = Inode(item.output).flatMap({ inputs[$0] }) {
                add(item.replacement(of: input), isFatal: true)
            } else if let refusal = refusal(item, isResuming) {
                // The rest of a batch that has begun is not kept waiting for one that somebody has changed.
                add(refusal, isFatal: !isResuming || !renewsOutputs)
            } else if folder.record(of: item)?.state != .done,
                let missing = item.inputs.first(where: { FileVersion($0) == nil })
            {
                add("\(missing.wireText) does not exist.")
            }
        }
        // Of a batch whose every item fails nothing is begun.
        if !items.isEmpty, problems.count == items.count {
            problems = problems.map { BatchProblem(input: $0.input, reason: $0.reason, isFatal: true) }
        }
        return [unfinishedProblem].compactMap(\.self) + problems
    }

    /// Why a file that came to a watched folder is not exported: its output would come there too, and be exported in turn, for ever. Where the
    /// outputs' own folder is in the watched one, it is not searched. Blocks for the disk.
    func returnProblem(of item: BatchItem) -> String? {
        guard let watched = watched.flatMap(BatchPlace.real), let outputs = BatchPlace.real(folder.outputs),
            !outputs.starts(with: watched)
        else { return nil }
        var place = item.output.removingLastComponent()
        while place.starts(with: folder.outputs), FileStatus(place) == nil { place.removeLastComponent() }
        guard BatchPlace.real(place)?.starts(with: watched) == true else { return nil }
        return
            "\(item.output.wireText), which \(item.input.wireText) would become, lies in the watched folder and would be exported in turn; choose "
            + "another folder for the outputs."
    }

    private var folderProblem: BatchProblem? {
        let folder = folder.existingOutputs
        do throws(RushesError) {
            // A name that nobody has: what is looked at is its folder, or that in which it will be made.
            try MovieDestination(folder.appending(UUID().uuidString)).check(needing: 0)
        } catch { return BatchProblem(input: nil, reason: error.description, isFatal: true) }
        do throws(RushesError) { try self.folder.check() } catch {
            return BatchProblem(input: nil, reason: error.description, isFatal: true)
        }
        return nil
    }

    /// What a killed batch of this folder still has to do and this one would forget. What failed or was cancelled was told.
    private var unfinishedProblem: BatchProblem? {
        guard !replacesExisting, let kept = try? BatchPlan(resuming: folder) else { return nil }
        let names = Set(items.map(\.name))
        let unfinished = kept.items.filter { item in
            !names.contains(item.name) && folder.record(of: item)?.state.isOver != true
                && FileVersion(item.input) != nil
        }
        guard let first = unfinished.first else { return nil }
        let count = unfinished.count == 1 ? "a file" : "\(unfinished.count) files"
        return BatchProblem(
            input: nil,
            reason:
                "An earlier batch in \(folder.outputs.wireText) still has \(count) to export, starting with \(first.input.wireText); "
                + "finish that with \(Term.resumingBatch) and the same folder for the outputs, or \(Term.overwriting).",
            isFatal: true)
    }

    private func refusal(_ item: BatchItem, _ isResuming: Bool) -> String? {
        guard !replacesExisting, let there = FileVersion(item.output) else { return nil }
        let record = folder.record(of: item)
        let isOurs = record.map { $0.isOf(item.input) && $0.hasMade(there) } ?? false
        if isResuming, isOurs {
            let step = BatchStep(item: item, plan: self)
            return record.map(step.isReplaceable) == true ? nil : step.earlier
        }
        return isOurs
            ? "\(item.output.wireText) is there from an earlier batch; continue that with \(Term.resuming), or "
                + "\(Term.overwriting)."
            : "\(item.output.wireText) already exists; choose another folder, or \(Term.overwriting)."
    }
}
