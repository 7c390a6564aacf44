import LiveActivity
import Foundation
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Export

/// A large batch on a large cluster, its queue as Slurm keeps it.
@Suite(.timeLimit(.minutes(10))) struct ClusterTests {
    /// Tasks that wait, and how often each was begun.
    private struct Queue: Sendable {
        var waiting: [Int]
        var restarts: [Int: Int] = [:]
        var running = 0

        mutating func next() -> (index: Int, restarts: Int)? {
            guard let index = waiting.popLast() else { return nil }
            running += 1
            return (index, restarts[index] ?? 0)
        }

        mutating func requeue(_ index: Int) {
            restarts[index, default: 0] += 1
            waiting.append(index)
        }
    }

    /// A thousand where `RUSHES_LONG_TESTS` is set.
    private static let files = ProcessInfo.processInfo.environment["RUSHES_LONG_TESTS"] == nil ? 200 : 1000

    @Test func `50 nodes do all files, each once, though five of them die and come back as ghosts`() async throws {
        let (files, nodes, deaths) = (Self.files, 50, 5)
        let fixture = try BatchFixture((0..<files).map { "clip\($0).mov" })
        let planned = try fixture.plan()
        try await planned.write()
        let plan = try BatchPlan(resuming: planned.folder)
        let queue = Locked(Queue(waiting: Array(plan.items.indices)))
        let rise = AsyncSignal()
        let ghosts = Locked<[Task<BatchOutcome, any Error>]>([])
        await withTaskGroup(of: Void.self) { group in
            for node in 0..<nodes {
                group.addTask {
                    while let task = queue.withLock({ $0.next() }) {
                        let step = BatchStep(
                            item: plan.items[task.index], plan: plan, worker: Cluster.worker("n\(node)", task: task),
                            timing: BatchClaimTiming(
                                beat: .seconds(3600), silence: .seconds(3600), look: .milliseconds(50)))
                        // It dies at its first file.
                        if node < deaths {
                            let isDead = AsyncSignal()
                            let ghost = Task {
                                try await step.run(
                                    fixture.exporter { _ in
                                        isDead.fire()
                                        _ = await rise.wait(within: .seconds(300))
                                    })
                            }
                            _ = await isDead.wait(within: .seconds(300))
                            ghosts.withLock { $0.append(ghost) }
                            return queue.withLock { $0.requeue(task.index) }
                        }
                        _ = try? await step.run(fixture.exporter())
                    }
                }
            }
        }
        rise.fire()
        for ghost in ghosts.withLock({ $0 }) { await #expect(throws: (any Error).self) { try await ghost.value } }
        #expect(ghosts.withLock { $0.count } == deaths)
        let records = plan.items.compactMap { plan.folder.record(of: $0) }
        #expect(records.count == files && records.allSatisfy { $0.state == .done && $0.completions == 1 })
        // One that is begun again may meet the next that dies.
        #expect(records.reduce(0) { $0 + $1.starts - 1 } == deaths)
        #expect(fixture.names.count == files && fixture.leftovers == [])
        for (item, record) in zip(plan.items, records) { #expect(FileVersion(item.output) == record.result) }
        let stands = FollowedBatch(plan.items, try view(plan))
        #expect(stands.isComplete && (1...deaths).contains(stands.begunAgain))
        #expect(stands.nodes.values.reduce(0, +) == files)
    }

    private func view(_ plan: BatchPlan) throws -> [BatchFolderView.Stand] {
        var view = BatchFolderView(plan)
        return try view.look()
    }

    @Test func `who follows is told what runs where, what failed, and what is lost`() async throws {
        let fixture = try BatchFixture()
        let plan = try fixture.plan()
        try await plan.write()
        var view = BatchFolderView(plan, silence: .seconds(60))
        func step(_ number: Int, _ node: String) -> BatchStep {
            BatchStep(
                item: plan.items[number], plan: plan, worker: Cluster.worker(node),
                timing: BatchClaimTiming(beat: .milliseconds(20), silence: .seconds(60), look: .milliseconds(50)))
        }
        #expect(FollowedBatch(plan.items, try view.look()).waiting == 3)
        _ = try await step(0, "n1").run(fixture.exporter())
        _ = try? await step(1, "n2").run(fixture.exporter { _ in throw CocoaError(.fileReadCorruptFile) })
        let (hasBegun, mayEnd) = (AsyncSignal(), AsyncSignal())
        let last = Task {
            try await step(2, "n2").run(
                fixture.exporter { _ in
                    // The fixture's exports have told that half is done.
                    try await Task.sleep(for: .milliseconds(200))
                    hasBegun.fire()
                    _ = await mayEnd.wait(within: .seconds(60))
                })
        }
        #expect(await hasBegun.wait(within: .seconds(60)))
        let now = ContinuousClock.now
        let batch = FollowedBatch(plan.items, try view.look(now: now))
        #expect(batch.done == 1 && batch.failures.count == 1 && batch.left == 1 && !batch.isOver)
        let state = batch.state(elapsed: 1)
        #expect(state.phase == .running && state.completedItems == 2 && state.failedItems == 1)
        #expect(state.currentItem == "c.mov on n2" && state.subtitle == "Exporting 2/3")
        let fraction = try #require(state.fraction)
        // One is done, one half, and one failed there.
        #expect(fraction > 0.6 && fraction < 0.7, "\(fraction)")
        mayEnd.fire()
        _ = try await last.value
        #expect(FollowedBatch(plan.items, try view.look()).isOver)
        try FileManager.default.removeItem(at: URL(filePath: fixture.folder.file("out/c.mp4")))

        // One that was given up, as by scancel.
        let given = Task { try await step(2, "n2").run(fixture.exporter { _ in throw CancellationError() }) }
        _ = await given.result
        var anew = BatchFolderView(plan)
        let cancelled = FollowedBatch(plan.items, try anew.look())
        #expect(cancelled.cancellations == ["c.mov on n2: Cancelled."] && cancelled.left == 1 && cancelled.isOver)

        // A node that dies leaves its claim, which nobody renews.
        let items = try plan.folder.folder(BatchFolder.items)
        let file = try #require(try BatchFolder.take(plan.items[1], 3, in: items))
        _ = BatchHold(plan.items[1], 3, Cluster.worker("n3"), file: file, items: items)
        #expect(!FollowedBatch(plan.items, try view.look(now: now)).isOver)
        let lost = FollowedBatch(plan.items, try view.look(now: now + .seconds(61)))
        #expect(
            lost.losses.count == 1 && lost.losses[0].contains("b.mov on n3")
                && lost.state(elapsed: 1).phase == .waiting)
    }
}
