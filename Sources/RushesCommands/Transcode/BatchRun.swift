import ArgumentParser
import Export
import FileSystem
import Foundation
import LiveActivity
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// Runs one batch: refuses what cannot work before anything is begun, exports, tells the progress, ends on a signal.
struct BatchRun {
    var plan: BatchPlan
    var jobs: Int?
    /// Bytes that stay free; as many as usual if left out.
    var minFree: Int64?
    var isResuming = false
    /// Whether folders within the watched one are watched too.
    var includesSubfolders = false
    /// Only this item of a batch that is written down.
    var step: Int?
    /// Whether it is among this machine's activities, and on its desktop.
    var isListed = true
    let output: OutputOptions

    /// - Throws: ``ExitCode`` if not every output is there at the end; what kept it from starting.
    func run() async throws {
        if step == nil {
            for note in plan.notes { StandardStreams.printNote(note) }
            try await checkReserve()
            try Self.refuse(plan, isResuming: isResuming)
        }
        try await plan.settings.targetQuality?.check()
        let troubles = AsyncStream.makeStream(of: String?.self)
        let arrivals = try plan.watched.map {
            try FolderArrivals.movies(
                in: $0, includesSubfolders: includesSubfolders, includesAudio: plan.areMadeOfAudio,
                without: plan.folder.outputs,
                trouble: { troubles.continuation.yield($0) })
        }
        let shown = Locked<BatchActivities?>(nil)
        let batch = try await batch { event in shown.withLock { $0 }?.show(event) }
        let journal = isListed ? ActivityJournal().keep() : nil
        let display = BatchDisplay(output, isListed: isListed)
        let activities = try BatchActivities(
            plan, watched: plan.watched, control: { request in Task { await batch.take(request) } },
            onFile: { display.follow(file: $0) })
        shown.withLock { $0 = activities }
        let resuming = resuming
        // The batch may end while a second interrupt gives it up: who comes first tells it.
        let isTold = Locked(Once())
        let signals = await BatchSignals.watch(batch, display) {
            guard !isTold.withLock({ $0.set() }) else { return }
            let summary = await batch.summarySoFar
            activities.end(summary)
            await display.finish()
            for line in summary.words(resuming: resuming) { StandardStreams.printNote(line) }
            await journal?.finish()
        }
        if step == nil { BegunCommand.keep(of: activities.batch, resuming: true) }
        display.follow(batch: activities.batch)
        let watch = Task { if let arrivals { for await file in arrivals { await batch.add(file) } } }
        let watchOfTroubles = Task { for await trouble in troubles.stream { await batch.note(trouble: trouble) } }
        let summary = await batch.run()
        watch.cancel()
        watchOfTroubles.cancel()
        signals.cancel()
        guard !isTold.withLock({ $0.set() }) else { throw ExitStatus.failure }
        activities.end(summary)
        // What is shown is shown to its end before the last word is said.
        await display.finish()
        for line in summary.words(resuming: resuming) { StandardStreams.printNote(line) }
        await journal?.finish()
        guard summary.isComplete else { throw ExitStatus.failure }
        ActivityJournal().forgetCommand(of: activities.batch.id)
    }

    /// - Throws: a `ValidationError` where more is to stay free than the disk holds: what the batch waited for would never come.
    private func checkReserve() async throws {
        guard let minFree, minFree > 0 else { return }
        var folder = plan.folder.outputs.absolute
        while FileStatus(folder) == nil, folder.removeLastComponent() {}
        let size = await onOwnThread("rushes-disk", orAfter: .seconds(5), otherwise: nil) { [folder] in diskSize(folder)
        }
        guard let size, minFree >= size else { return }
        throw ValidationError(
            "The disk of \(plan.folder.outputs.wireText) holds \(Quantities.bytes(size)), so --min-free cannot be \(Quantities.bytes(minFree)); let less stay free."
        )
    }

    /// How what is left is continued with.
    private var resuming: String {
        if plan.watched != nil { return "Start the same --watch again to continue with the rest." }
        return step == nil ? "Use --resume to continue with the rest." : "Run it again to export it."
    }

    private func batch(tell: @escaping @Sendable (BatchEvent) -> Void) async throws -> Batch {
        if let step {
            return try await Batch(
                step: step, of: plan, minFreeDiskSpaceLimit: minFree, exporter: { BatchExport.session($0) }, tell: tell)
        }
        return try await Batch(
            plan, jobs: jobs, minFreeDiskSpaceLimit: minFree, beginsAnew: !isResuming, isOpen: plan.watched != nil,
            exporter: { BatchExport.session($0) },
            tell: tell)
    }

    /// Says all that is wrong with names and places, for all files at once, where the batch is not to begin. What is wrong with a file
    /// alone is said when the others are done.
    ///
    /// - Throws: ``ExitCode`` if the batch is not to begin.
    private static func refuse(_ plan: BatchPlan, isResuming: Bool) throws {
        let problems = plan.problems(isResuming: isResuming)
        guard problems.contains(where: \.isFatal) else { return }
        for problem in problems { StandardStreams.printNote(problem.line) }
        throw ExitStatus.failure
    }
}

extension BatchProblem {
    /// For people.
    var line: String { "rushes: \(Sentence(reason).text)" }
}

extension BatchSummary {
    /// For people: one line for each file that failed, and one for all, which comes last as it is looked for there.
    ///
    /// - Parameter resuming: how what is left is continued with.
    func words(resuming: String) -> [String] {
        var parts = ["\(done) done" + (copied > 0 ? " (\(copied) copied)" : "")]
        if skipped > 0 { parts.append("\(skipped) done before") }
        if !failures.isEmpty { parts.append("\(failures.count) failed") }
        if cancelled > 0 { parts.append("\(cancelled) cancelled") }
        if left > 0 { parts.append("\(left) left") }
        if done > 0 {
            let saved = inputSize - outputSize
            parts.append(
                saved >= 0 ? "\(Words.size(saved)) smaller" : "\(Words.size(-saved)) larger than the originals")
        }
        var lines = remarks.map(\.line) + failures.map { "rushes: \(Sentence($0.sentence).text)" }
        lines.append(parts.joined(separator: ", ") + "; \(Words.clock(MediaTime(seconds: elapsed))).")
        if left + interrupted > 0 { lines.append(resuming) }
        return lines
    }
}

extension BatchSummary.Remark {
    /// "a.mov, b.mov and 3 more: The video is interlaced and is deinterlaced."
    fileprivate var line: String {
        let names = inputs.sorted { $0.string < $1.string }.prefix(3).map {
            $0.lastComponent.map { FilePath($0.string).wireText } ?? $0.wireText
        }
        let more = inputs.count > names.count ? " and \(inputs.count - names.count) more" : ""
        return "\(names.joined(separator: ", "))\(more): \(Sentence(sentence).text)"
    }
}

/// Something that happens once, whoever does it.
private struct Once {
    private var isDone = false

    /// - Returns: whether it was done before.
    mutating func set() -> Bool {
        defer { isDone = true }
        return isDone
    }
}
