import LiveActivity
import Errors
import Foundation
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Export

/// Who does an item where several machines want it.
@Suite(.timeLimit(.minutes(10))) struct BatchClaimTests {
    private let fixture: BatchFixture
    private let plan: BatchPlan

    init() async throws {
        fixture = try BatchFixture(["a.mov"])
        plan = try fixture.plan()
        try await plan.write()
    }

    private func step(_ worker: BatchWorker, silence: Duration = .milliseconds(300)) -> BatchStep {
        BatchStep(
            item: plan.items[0], plan: plan, worker: worker,
            timing: BatchClaimTiming(beat: .milliseconds(50), silence: silence, look: .milliseconds(50)))
    }

    private var record: BatchRecord? { plan.folder.record(of: plan.items[0]) }
    /// Claims that are left, and drafts of anything.
    private var left: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: fixture.folder.file("out/.rushes-batch/items"))
                .filter { !$0.hasSuffix(".json") }
        }
    }

    @Test func `a node that works keeps its item, and the other one is told which, and waits for it`() async throws {
        let (hasBegun, mayEnd) = (AsyncSignal(), AsyncSignal())
        let exporter = fixture.exporter { _ in
            hasBegun.fire()
            _ = await mayEnd.wait(within: .seconds(60))
        }
        let first = Task { try await step(Cluster.worker("n1")).run(exporter) }
        #expect(await hasBegun.wait(within: .seconds(60)))
        let isTold = AsyncSignal()
        let second = Task {
            try await step(Cluster.worker("n2"), silence: .seconds(60)).run(
                exporter, waits: { if $0.contains("already exporting") && $0.contains("on n1") { isTold.fire() } })
        }
        #expect(await isTold.wait(within: .seconds(60)))
        mayEnd.fire()
        #expect(try await first.value.kind == .done)
        #expect(try await second.value.kind == .skipped)
        #expect(try await step(Cluster.worker("n2")).run(exporter).kind == .skipped)
        #expect(fixture.runs.withLock { $0 } == ["a.mov": 1])
        #expect(try left == [] && fixture.leftovers == [])
        let attempts = try #require(record?.attempts)
        #expect(attempts.map(\.node) == ["n1"] && attempts[0].outcome == .done && attempts[0].ended != nil)
    }

    @Test func `who waits for a node that fails has its reason, and does what one gave up`() async throws {
        for isCancelled in [false, true] {
            let (hasBegun, mayEnd, isTold) = (AsyncSignal(), AsyncSignal(), AsyncSignal())
            let first = Task {
                try await step(.current).run(
                    fixture.exporter { _ in
                        hasBegun.fire()
                        _ = await mayEnd.wait(within: .seconds(60))
                        throw isCancelled
                            ? RushesError(.cancelled, "Cancelled.") : RushesError(.badInput, "It is rotten.")
                    })
            }
            #expect(await hasBegun.wait(within: .seconds(60)))
            let second = Task {
                try await step(.current).run(fixture.exporter(), waits: { _ in isTold.fire() })
            }
            #expect(await isTold.wait(within: .seconds(60)))
            mayEnd.fire()
            await #expect(throws: RushesError.self) { try await first.value }
            if isCancelled {
                #expect(try await second.value.kind == .done)
            } else {
                do {
                    _ = try await second.value
                    Issue.record("It was exported.")
                } catch { #expect("\(error)" == "It is rotten.") }
            }
        }
        #expect(try left == [] && fixture.leftovers == [])
    }

    /// A node that stands still in the middle of an export, without a word, until the signal comes.
    private func stall(_ worker: BatchWorker, until wakes: AsyncSignal) async throws -> Task<BatchOutcome, any Error> {
        let isStalled = AsyncSignal()
        var still = step(worker)
        still.timing.beat = .seconds(3600)
        let task = Task { [still] in
            try await still.run(
                fixture.exporter { _ in
                    isStalled.fire()
                    _ = await wakes.wait(within: .seconds(60))
                })
        }
        #expect(await isStalled.wait(within: .seconds(300)))
        return task
    }

    @Test func `a node that is silent is overtaken, and does nothing when it comes back`() async throws {
        let wakes = AsyncSignal()
        let dead = try await stall(Cluster.worker("n1"), until: wakes)
        #expect(try await step(Cluster.worker("n2")).run(fixture.exporter()).kind == .done)
        let done = try #require(FileVersion(plan.items[0].output))
        wakes.fire()
        await #expect(throws: RushesError.self) { try await dead.value }
        #expect(FileVersion(plan.items[0].output) == done)
        let record = try #require(record)
        #expect(record.state == .done && record.starts == 2 && record.completions == 1 && record.result == done)
        #expect(record.attempts?.map(\.node) == ["n1", "n2"] && record.attempts?[0].outcome == nil)
        #expect(try left == [] && fixture.leftovers == [])
    }

    @Test func `a task that Slurm has begun again does not wait, and its older self gives up at its next beat`()
        async throws
    {
        let (hasBegun, isOver) = (AsyncSignal(), AsyncSignal())
        let older = Task {
            try await step(Cluster.worker("n1", task: (0, 0))).run(
                fixture.exporter { _ in
                    hasBegun.fire()
                    try await withTaskCancellationHandler {
                        try await Task.sleep(for: .seconds(60))
                    } onCancel: {
                        isOver.fire()
                    }
                })
        }
        #expect(await hasBegun.wait(within: .seconds(60)))
        // Silence would have to last for longer than the test may.
        let again = step(Cluster.worker("n2", task: (0, 1)), silence: .seconds(3600))
        #expect(
            try await again.run(fixture.exporter { _ in _ = await isOver.wait(within: .seconds(60)) }).kind == .done)
        #expect(isOver.isFired)
        await #expect(throws: RushesError.self) { try await older.value }
        #expect(record?.state == .done && record?.attempts?.last?.task == "7_0" && record?.completions == 1)
        #expect(try left == [] && fixture.leftovers == [])
    }

    @Test func `of many that may take a dead node's item one does it`() async throws {
        let wakes = AsyncSignal()
        let dead = try await stall(Cluster.worker("n0", task: (0, 0)), until: wakes)
        let hasBegun = AsyncSignal()
        let ends = await withTaskGroup(of: BatchOutcome.Kind?.self) { group in
            for node in 1...8 {
                group.addTask {
                    try? await step(Cluster.worker("n\(node)", task: (0, 1)), silence: .seconds(3600)).run(
                        fixture.exporter { _ in _ = await hasBegun.wait(within: .seconds(60)) },
                        waits: { _ in hasBegun.fire() }
                    ).kind
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.count { $0 == .skipped } == 7)
        #expect(ends.count { $0 == .done } == 1)
        #expect(fixture.runs.withLock { $0["a.mov"] } == 2)
        wakes.fire()
        await #expect(throws: RushesError.self) { try await dead.value }
        #expect(record?.completions == 1 && record?.state == .done)
    }

    @Test func `a killed process of this machine is not waited for`() async throws {
        let child = try await Tool.run("sh", ["-c", "echo $$"])
        let pid = try #require(Int32(child.text.trimmingCharacters(in: .whitespacesAndNewlines)))
        let gone = BatchWorker(node: "here", process: .init(pid: pid))
        let items = try plan.folder.folder(BatchFolder.items)
        let file = try #require(try BatchFolder.take(plan.items[0], 1, in: items))
        _ = BatchHold(plan.items[0], 1, gone, file: file, items: items)
        #expect(try await step(.current, silence: .seconds(3600)).run(fixture.exporter()).kind == .done)
        #expect(record?.starts == 2)
        // It died before the record named it, and its claim did.
        #expect(record?.attempts?.map(\.node) == ["here", BatchWorker.current.node])
        #expect(record?.attempts?.map(\.number) == [1, 2] && record?.attempts?[0].outcome == nil)
        #expect(try left == [])
    }

    @Test func `an input that is missing is written down for whoever follows`() async throws {
        try FileManager.default.removeItem(atPath: fixture.folder.file("in/a.mov"))
        await #expect(throws: RushesError.self) { try await step(Cluster.worker("n1")).run(fixture.exporter()) }
        #expect(record?.state == .failed && record?.reason?.contains("does not exist") == true)
        try fixture.write("a.mov")
        #expect(try await step(Cluster.worker("n2")).run(fixture.exporter()).kind == .done)
        #expect(record?.attempts?.map(\.outcome) == [.failed, .done])
    }

    @Test func `silence is measured by who watches`() {
        var watch = BatchClaimWatch()
        let now = ContinuousClock.now
        #expect(watch.look(3, beat: 5, silence: .seconds(60), now: now) == nil)
        #expect(watch.look(3, beat: 5, silence: .seconds(60), now: now + .seconds(59)) == nil && watch.silent == 0)
        #expect(watch.look(3, beat: 6, silence: .seconds(60), now: now + .seconds(60)) == true)
        #expect(watch.look(4, beat: 1, silence: .seconds(60), now: now + .seconds(61)) == nil)
        #expect(watch.look(4, beat: 1, silence: .seconds(60), now: now + .seconds(121)) == false && watch.silent == 4)
    }

    @Test func `Slurm's variables name the task`() {
        let task = BatchWorker(
            process: .current,
            environment: [
                "SLURMD_NODENAME": "n4", "SLURM_ARRAY_JOB_ID": "12", "SLURM_JOB_ID": "15", "SLURM_ARRAY_TASK_ID": "3",
                "SLURM_RESTART_COUNT": "2",
            ])
        #expect(task.node == "n4" && task.task?.name == "12_3" && task.task?.restarts == 2)
        #expect(BatchWorker(process: .current, environment: [:]).task == nil)
    }
}
