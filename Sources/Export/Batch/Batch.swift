import Errors
import FileSystem
public import SystemPackage
import Threads

/// Exports many files into one folder, several at a time, so that it can be killed at any moment and resumed.
///
/// The queue decides (`BatchQueue`), steps do the work (`BatchStep`), this runs them and tells what happens.
public actor Batch {
    /// Where outputs and records are.
    package nonisolated let folder: BatchFolder
    let plan: BatchPlan
    let exporter: BatchExporter
    let tell: @Sendable (BatchEvent) -> Void
    let lock: BatchLock
    private(set) var queue: BatchQueue
    var items: [BatchItem] = []
    /// The input of each output, by its key.
    private var inputs: [UInt64: FilePath] = [:]
    /// What is read, by file, whatever it is called.
    private var read: [Inode: FilePath] = [:]
    var tasks: [Int: Task<Void, Never>] = [:]
    var exports: [Int: BatchExport] = [:]
    /// Whose end items that run wait for, by their number, in a sentence.
    var others: [Int: String] = [:]
    /// Why no files come, in a sentence.
    var trouble: String?
    var summary = BatchSummary()
    /// Why items never begin, by their number.
    private var refusals: [Int: String] = [:]
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var hasBegun = false
    var isOver = false
    private let begin = ContinuousClock.now

    /// Takes the folder for itself, clears away what a killed run has left, and writes down what is to be done.
    ///
    /// - Parameters:
    ///   - plan: without fatal problems.
    ///   - jobs: files at a time; left out, as many as cores and memory allow.
    ///   - minFreeDiskSpaceLimit: bytes that are left free on the disk; left out, 64 MiB, or a hundredth of a small disk.
    ///   - beginsAnew: whether what an earlier run has done is done again.
    ///   - isOpen: whether items may be added until ``close()``.
    ///   - tell: is told what happens, in order and from one place at a time. It must not wait.
    /// - Throws: ``RushesError`` where another batch works in the folder or it cannot be written.
    public init(
        _ plan: BatchPlan, jobs: Int? = nil, minFreeDiskSpaceLimit: Int64? = nil, beginsAnew: Bool = false,
        isOpen: Bool = false,
        tell: @escaping @Sendable (BatchEvent) -> Void = { _ in }
    ) async throws {
        do {
            try await self.init(
                plan, jobs: jobs, minFreeDiskSpaceLimit: minFreeDiskSpaceLimit, beginsAnew: beginsAnew, isOpen: isOpen,
                exporter: { BatchExport.session($0) }, tell: tell)
        } catch { throw RushesError.published(error, as: .writeFailed, on: plan.folder.outputs.string) }
    }

    /// The same with exports of another kind.
    ///
    /// - Parameter exporter: begins an export.
    package init(
        _ plan: BatchPlan, jobs: Int? = nil, minFreeDiskSpaceLimit: Int64? = nil, beginsAnew: Bool = false,
        isOpen: Bool = false,
        exporter: @escaping BatchExporter,
        tell: @escaping @Sendable (BatchEvent) -> Void = { _ in }
    ) async throws {
        let lock = try await onOwnThread("rushes-batch") { try plan.open(beginsAnew: beginsAnew) }
        await self.init(plan, lock, jobs: jobs, minFreeDiskSpaceLimit, isOpen: isOpen, exporter, tell)
    }

    /// One item of a batch that is written down: a step, for schedulers of others. Steps may run at once, in processes of
    /// their own, on all machines that see the folder.
    ///
    /// - Parameter step: the item's number, from 0.
    /// - Throws: ``RushesError`` if there is no such item, or a whole batch works in the folder.
    package init(
        step: Int, of plan: BatchPlan, minFreeDiskSpaceLimit: Int64? = nil, exporter: @escaping BatchExporter,
        tell: @escaping @Sendable (BatchEvent) -> Void = { _ in }
    ) async throws {
        let plan = try plan.only(step)
        let lock = try await onOwnThread("rushes-batch") { try plan.openStep() }
        await self.init(plan, lock, jobs: 1, minFreeDiskSpaceLimit, isOpen: false, exporter, tell)
    }

    private init(
        _ plan: BatchPlan, _ lock: BatchLock, jobs: Int?, _ minFree: Int64?, isOpen: Bool,
        _ exporter: @escaping BatchExporter,
        _ tell: @escaping @Sendable (BatchEvent) -> Void
    ) async {
        self.plan = plan
        folder = plan.folder
        self.exporter = exporter
        self.tell = tell
        self.lock = lock
        let known = await onOwnThread(
            "rushes-batch", orAfter: .seconds(60), otherwise: plan.items.map { ($0, ItemPlaces()) }
        ) { plan.withAttributes().map { ($0, ItemPlaces($0)) } }
        let outputs = plan.folder.outputs
        let size = await onOwnThread("rushes-disk", orAfter: .seconds(5), otherwise: nil) { diskSize(outputs) }
        queue = BatchQueue(
            jobs: jobs ?? JobCount.machine().jobs(for: known.map(\.0.attributes)),
            reserve: minFree.map { min(max(0, $0), 1 << 60) } ?? BatchQueue.reserve(on: size), isOpen: isOpen)
        for (item, places) in known { _ = admit(item, in: places) }
    }

    /// Adds an item: one that is over at once where another input has its output, or its output is an input.
    ///
    /// - Returns: as ``BatchQueue/add(name:estimate:)``.
    private func admit(_ item: BatchItem, in places: ItemPlaces) -> (item: Int, actions: [BatchQueue.Action])? {
        for (place, path) in places.inputs { read[place] = path }
        if let reason = refusal(of: item, in: places) {
            guard let number = queue.addFailed(name: item.key.description) else { return nil }
            items.append(item)
            refusals[number] = reason
            return (number, [])
        }
        guard let added = queue.add(name: item.key.description, estimate: item.estimate) else { return nil }
        inputs[item.key] = item.input
        items.append(item)
        return added
    }

    /// Why an item never begins.
    private func refusal(of item: BatchItem, in places: ItemPlaces) -> String? {
        if let problem = places.problem { return problem }
        if let other = inputs[item.key], other != item.input { return item.conflict(with: other) }
        // A file that has gone since may have left its number to this one.
        guard let place = places.output, let input = read[place], Inode(input) == place else { return nil }
        return item.replacement(of: input)
    }

    /// Tells that there is an item, and why one will never begin.
    private func announce(_ number: Int) {
        tell(.added(number, items[number]))
        if let reason = refusals[number] { ended(number, BatchOutcome(.failed, reason: reason)) }
    }

    /// Runs the items to the end of all. Where the task is cancelled, so is the batch. A second call waits for the end of the first.
    public func run() async -> BatchSummary {
        guard !hasBegun else {
            await waitForEnd()
            return completed(summary)
        }
        hasBegun = true
        for number in items.indices { announce(number) }
        // Before the first begins, so that it does not fill the disk.
        await look()
        if Task.isCancelled { handle(.cancel) }
        handle(.start)
        let watch = Task { await self.watch() }
        await waitForEnd()
        watch.cancel()
        return completed(summary)
    }

    private func waitForEnd() async {
        await withTaskCancellationHandler {
            if !isOver { await withCheckedContinuation { waiting.append($0) } }
        } onCancel: {
            Task { await cancel() }
        }
    }

    func completed(_ summary: BatchSummary) -> BatchSummary {
        var summary = summary
        summary.left = queue.items.count { $0.status == .waiting }
        summary.elapsed = Double((ContinuousClock.now - begin) / .milliseconds(1)) / 1000
        return summary
    }

    /// Adds a file that has come; nothing where it waits already. One whose output another file has, or is itself an input, fails; where
    /// that is an earlier one of the same name, its output gets a number.
    public func add(_ input: FilePath) async {
        let plan = plan
        let bare = plan.item(for: input)
        let (item, places) = await onOwnThread("rushes-batch", orAfter: .seconds(10), otherwise: (bare, ItemPlaces())) {
            let item = plan.withAttributes([plan.besideEarlier(bare)]).first ?? bare
            var places = ItemPlaces(item)
            places.problem = plan.returnProblem(of: item)
            return (item, places)
        }
        guard !isOver, let added = admit(item, in: places) else { return }
        // What comes before it begins is told then.
        if hasBegun { announce(added.item) }
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
                lock.release(BatchLock.whole)
                for waiting in waiting { waiting.resume() }
                waiting = []
            }
        }
        tell(.status(status))
    }
}
