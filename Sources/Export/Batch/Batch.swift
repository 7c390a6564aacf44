import Encoding
import LiveActivity
import MovieFiles
public import SystemPackage
import Threads

/// Exports many files into one folder, several at a time, so that it can be killed at any moment and gone on with.
///
/// The queue decides (`BatchQueue`), steps do the work (`BatchStep`), this runs them and tells what happens.
public actor Batch {
    /// Where outputs and records are.
    public nonisolated let folder: BatchFolder
    private let plan: BatchPlan
    private let exporter: BatchExporter
    private let tell: @Sendable (BatchEvent) -> Void
    private let lock: BatchLock
    private(set) var queue: BatchQueue
    private var items: [BatchItem] = []
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var exports: [Int: BatchExport] = [:]
    private var summary = BatchSummary()
    private var waiting: CheckedContinuation<Void, Never>?
    private var isOver = false
    private let begin = ContinuousClock.now

    /// Takes the folder for itself, clears away what a killed run has left, and writes down what is to be done.
    ///
    /// - Parameters:
    ///   - plan: without fatal problems.
    ///   - jobs: files at a time; left out, as many as cores and memory allow.
    ///   - beginsAnew: whether what an earlier run has done is done again.
    ///   - isOpen: whether items may be added until ``close()``.
    ///   - exporter: begins an export.
    ///   - tell: is told what happens, in order and from one place at a time. It must not wait.
    /// - Throws: ``ExportError`` where another batch works in the folder or it cannot be written.
    public init(
        _ plan: BatchPlan, jobs: Int? = nil, beginsAnew: Bool = false, isOpen: Bool = false,
        exporter: @escaping BatchExporter,
        tell: @escaping @Sendable (BatchEvent) -> Void = { _ in }
    ) async throws {
        let lock = try await onOwnThread("rushes-batch") { try plan.open(beginsAnew: beginsAnew) }
        await self.init(plan, lock, jobs: jobs, isOpen: isOpen, exporter, tell)
    }

    /// One item of a batch that is written down: a step, for schedulers of others. Steps may run at once, in processes of
    /// their own, on all machines that see the folder.
    ///
    /// - Parameter step: the item's number, from 0.
    /// - Throws: ``ExportError`` if there is no such item, or a whole batch works in the folder.
    public init(
        step: Int, of plan: BatchPlan, exporter: @escaping BatchExporter,
        tell: @escaping @Sendable (BatchEvent) -> Void = { _ in }
    ) async throws {
        let plan = try plan.only(step)
        let lock = try await onOwnThread("rushes-batch") { try plan.openStep() }
        await self.init(plan, lock, jobs: 1, isOpen: false, exporter, tell)
    }

    private init(
        _ plan: BatchPlan, _ lock: BatchLock, jobs: Int?, isOpen: Bool, _ exporter: @escaping BatchExporter,
        _ tell: @escaping @Sendable (BatchEvent) -> Void
    ) async {
        self.plan = plan
        folder = plan.folder
        self.exporter = exporter
        self.tell = tell
        self.lock = lock
        let planned = await onOwnThread("rushes-batch", orAfter: 60, otherwise: plan.items) { plan.withFacts() }
        queue = BatchQueue(jobs: jobs ?? JobCount.machine.jobs(for: planned.map(\.facts)), isOpen: isOpen)
        for item in planned where queue.add(name: item.key.description, estimate: item.estimate) != nil {
            items.append(item)
        }
    }

    /// Runs the items to the end of all.
    public func run() async -> BatchSummary {
        for number in items.indices { tell(.added(number, items[number])) }
        // Before the first begins, so that it does not fill the disk.
        await look()
        handle(.start)
        let watch = Task { await self.watch() }
        if !isOver { await withCheckedContinuation { waiting = $0 } }
        watch.cancel()
        lock.release(BatchLock.whole)
        summary.left = queue.items.count { $0.status == .waiting }
        summary.elapsed = Double((ContinuousClock.now - begin) / .milliseconds(1)) / 1000
        return summary
    }

    /// Adds a file that has come; nothing where one of its name waits already.
    public func add(_ input: FilePath) async {
        let plan = plan
        let bare = plan.item(for: input)
        let item = await onOwnThread("rushes-batch", orAfter: 10, otherwise: bare) {
            plan.withFacts([bare]).first ?? bare
        }
        guard !isOver, let added = queue.add(name: item.key.description, estimate: item.estimate) else { return }
        items.append(item)
        tell(.added(added.item, item))
        perform(added.actions)
    }

    /// Tells the queue what happened, and does what it says.
    func handle(_ event: BatchQueue.Event) { perform(queue.handle(event)) }

    private func perform(_ actions: [BatchQueue.Action]) {
        for action in actions {
            switch action {
            case .begin(let item):
                tasks[item] = Task { await self.export(item) }
            case .pause(let item): hold(item, true)
            case .resume(let item): hold(item, false)
            case .cancel(let item): tasks[item]?.cancel()
            case .leaveOut(let item): ended(item, BatchOutcome(.cancelled))
            case .finish:
                isOver = true
                waiting?.resume()
                waiting = nil
            }
        }
        tell(.status(status))
    }

    private func hold(_ item: Int, _ isHeld: Bool) {
        tell(.held(item, isHeld))
        guard let export = exports[item] else { return }
        Task { isHeld ? await export.pause() : await export.resume() }
    }

    private func export(_ number: Int) async {
        let end: BatchQueue.End
        do {
            let outcome = try await BatchStep(item: items[number], plan: plan, lock: lock).run(
                exporter, begun: { await self.begun(number, $0) }, report: { await self.advance(number, $0) })
            ended(number, outcome)
            end = outcome.kind == .skipped ? .skipped : .done
        } catch {
            end = failed(number, error)
        }
        (tasks[number], exports[number]) = (nil, nil)
        handle(.ended(number, end))
    }

    private func failed(_ number: Int, _ error: any Error) -> BatchQueue.End {
        let code = (error as? ExportError)?.code
        if code == .diskFull, !queue.isStopping {
            tell(.postponed(number))
            return .outOfSpace
        }
        if code == .cancelled {
            // What the batch itself gave up is left for another run.
            if queue.isStopping { summary.interrupted += 1 }
            ended(number, BatchOutcome(.cancelled))
            return .cancelled
        }
        ended(number, BatchOutcome(.failed, reason: "\(error)"))
        return .failed
    }

    private func ended(_ number: Int, _ outcome: BatchOutcome) {
        summary.add(outcome, of: items[number])
        tell(.ended(number, outcome))
    }

    private func begun(_ number: Int, _ export: BatchExport) async {
        exports[number] = export
        tell(.began(number))
        guard queue.items[number].isHeld else { return }
        tell(.held(number, true))
        await export.pause()
    }

    private func advance(_ number: Int, _ progress: ExportProgress) {
        tell(.progress(number, progress))
        handle(.progress(number, bytes: progress.bytesWritten))
    }

    /// Looks at the disk once a second, and tells that all is well.
    private func watch() async {
        while !Task.isCancelled, !isOver {
            try? await Task.sleep(for: .seconds(1))
            await look()
        }
    }

    private func look() async {
        let outputs = folder.outputs
        // A network disk that has gone away answers never; then nothing is known.
        let free = await onOwnThread("rushes-disk", orAfter: 5, otherwise: nil) { freeSpace(outputs) }
        handle(.free(free))
    }

    private var status: BatchStatus {
        let missing = queue.missingSpace
        let phase: ContentState.Phase = queue.isPaused ? .paused : missing != nil ? .waiting : .running
        return BatchStatus(
            phase: phase, isStopping: queue.isStopping,
            message: phase == .waiting ? missing.map(noRoom) : nil)
    }

    private func noRoom(_ missing: Int64) -> String {
        "\(folder.outputs.wireText) lacks room: make \(max(1, missing / 1_000_000)) MB free, and it goes on."
    }
}
