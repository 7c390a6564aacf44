import Encoding
import Errors
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Export

/// The batch and its folder, with exports that take no time.
@Suite(.timeLimit(.minutes(10))) struct BatchTests {
    @Test func `every movie of a folder is exported, and nothing else is left`() async throws {
        let fixture = try BatchFixture(["take 10.mov", "take 2.mov", "notes.txt", ".hidden.mov"])
        let plan = try fixture.plan()
        #expect(plan.items.map { $0.input.lastComponent?.string } == ["take 2.mov", "take 10.mov"])
        #expect(plan.problems() == [])
        let summary = try await fixture.run(plan)
        #expect(summary.done == 2 && summary.isComplete)
        #expect(fixture.names == ["take 10.mp4", "take 2.mp4"])
        #expect(try fixture.text("take 2.mp4") == "take 2.movtake 2.mov")
        #expect(fixture.leftovers == [])
        #expect(summary.inputSize == 21 && summary.outputSize == 42)
    }

    @Test func `a file that fails stops nothing, and says why`() async throws {
        let fixture = try BatchFixture()
        let summary = try await fixture.run(try fixture.plan()) { work in
            guard work.input.lastComponent?.string == "b.mov" else { return }
            throw RushesError(.badInput, "\(work.destination.path.string) is rotten.")
        }
        #expect(summary.done == 2 && !summary.isComplete)
        // The reason names the output that people know.
        #expect(summary.failures.map(\.reason) == ["\(fixture.folder.file("out/b.mp4")) is rotten."])
        #expect(fixture.names == ["a.mp4", "c.mp4"] && fixture.leftovers == [])
    }

    @Test func `going on does what failed, and not what was done`() async throws {
        let fixture = try BatchFixture()
        _ = try await fixture.run(try fixture.plan()) { work in
            if work.input.lastComponent?.string == "b.mov" { throw RushesError(.stalled, "No frame came.") }
        }
        let resumed = try BatchPlan(
            resuming: BatchFolder(containing: fixture.outputs.appending(".rushes-batch/manifest.json")))
        #expect(resumed.problems(isResuming: true) == [])
        let summary = try await fixture.run(resumed)
        #expect(summary.done == 1 && summary.skipped == 2 && summary.isComplete)
        #expect(fixture.runs.withLock { $0 } == ["a.mov": 1, "b.mov": 2, "c.mov": 1])
    }

    @Test func `going on exports anew what has changed: the input, or the settings`() async throws {
        let fixture = try BatchFixture()
        _ = try await fixture.run(try fixture.plan())
        try fixture.write("b.mov", "other")
        let summary = try await fixture.run(try fixture.plan())
        #expect(summary.done == 1 && summary.skipped == 2)
        #expect(try fixture.text("b.mp4") == "otherother")
        let again = try await fixture.run(try fixture.plan(settings: ExportSettings(preset: "h264")))
        #expect(again.done == 3)
        // An input that was taken away has not changed.
        try FileManager.default.removeItem(atPath: fixture.folder.file("in/a.mov"))
        let last = try await fixture.run(
            try fixture.plan(["a.mov", "b.mov"], settings: ExportSettings(preset: "h264")))
        #expect(last.skipped == 2)
    }

    @Test func `a batch whose task is cancelled is cancelled, and a second call waits for its end`() async throws {
        let fixture = try BatchFixture()
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let batch = try await Batch(
            try fixture.plan(), jobs: 1,
            exporter: fixture.exporter { _ in
                continuation.yield()
                try await Task.sleep(for: .seconds(3600))
            })
        let first = Task { await batch.run() }
        for await _ in begun { break }
        async let second = batch.run()
        first.cancel()
        let summaries = await [first.value, second]
        #expect(summaries.allSatisfy { $0.done == 0 && $0.cancelled + $0.left == 3 }, "\(summaries)")
        #expect(fixture.names == [] && fixture.leftovers == [])
    }

    @Test func `a batch that begins anew does all of it again`() async throws {
        let fixture = try BatchFixture(["a.mov"])
        _ = try await fixture.run(try fixture.plan())
        let plan = try fixture.plan(overwrite: true)
        let summary = try await Batch(plan, beginsAnew: true, exporter: fixture.exporter()).run()
        #expect(summary.done == 1 && fixture.runs.withLock { $0["a.mov"] } == 2)
    }

    @Test func `what a killed batch had still to do is not forgotten`() async throws {
        let fixture = try BatchFixture(["a.mov", "b.mov", "c.mov", "d.mov"])
        let names = ["a.mov", "b.mov", "c.mov"]
        let killed = try fixture.plan(names)
        // As a kill leaves it: the first is done, nothing of the others is written down.
        try await killed.write()
        #expect(try await Batch(step: 0, of: killed, exporter: fixture.exporter()).run().done == 1)
        for resumes in [false, true] {
            let problems = try fixture.plan(["d.mov"]).problems(isResuming: resumes)
            #expect(problems.map(\.isFatal) == [true])
            #expect(
                problems.first?.reason.contains("still has 2 files to export, starting with") == true, "\(problems)")
            #expect(problems.first?.reason.contains(fixture.folder.file("in/b.mov")) == true)
        }
        #expect(try fixture.plan([]).problems().map(\.isFatal) == [true])
        // Asked for, or the same files and more.
        #expect(try fixture.plan(["d.mov"], overwrite: true).problems() == [])
        #expect(try fixture.plan(names + ["d.mov"]).problems(isResuming: true) == [])
        let resumed = try BatchPlan(resuming: BatchFolder(outputs: fixture.outputs))
        #expect(resumed.problems(isResuming: true) == [])
        #expect(try await fixture.run(resumed).done == 2)
        #expect(try fixture.plan(["d.mov"]).problems() == [])
    }

    @Test func `an input that changes while it is read fails`() async throws {
        let fixture = try BatchFixture()
        let summary = try await fixture.run(try fixture.plan()) { work in
            if work.input.lastComponent?.string == "a.mov" { try fixture.write("a.mov", "while it is read") }
        }
        #expect(summary.failures.count == 1 && fixture.names == ["b.mp4", "c.mp4"])
    }

    @Test func `cancelling leaves nothing half done, and the rest can be gone on with`() async throws {
        let fixture = try BatchFixture()
        let hasBegun = AsyncSignal()
        let batch = try await Batch(
            try fixture.plan(), jobs: 1,
            exporter: fixture.exporter { _ in
                hasBegun.fire()
                try await Task.sleep(for: .seconds(60))
            })
        let running = Task { await batch.run() }
        #expect(await hasBegun.wait(within: .seconds(300)))
        await batch.cancel()
        let summary = await running.value
        #expect(summary.cancelled == 1 && summary.left == 2 && !summary.isComplete)
        #expect(fixture.names == [] && fixture.leftovers == [])
        #expect(try await fixture.run(try fixture.plan()).done == 3)
    }

    @Test func `two batches do not share a folder`() async throws {
        let fixture = try BatchFixture()
        let first = try await Batch(try fixture.plan(), exporter: fixture.exporter())
        await #expect(throws: RushesError.self) {
            _ = try await Batch(try fixture.plan(), exporter: fixture.exporter())
        }
        _ = await first.run()
        #expect(try await fixture.run(try fixture.plan()).skipped == 3)
    }

    @Test func `an item that finds no space on a disk that has some is begun once more, and then fails`() async throws {
        let fixture = try BatchFixture(["a.mov", "b.mov"])
        let summary = try await fixture.run(try fixture.plan()) { work in
            if work.input.lastComponent?.string == "a.mov" { throw RushesError(.diskFull, "The quota is used up.") }
        }
        #expect(summary.done == 1 && summary.failures.map(\.reason) == ["The quota is used up."])
        #expect(fixture.runs.withLock { $0["a.mov"] } == 2)
    }

    @Test(arguments: [nil, 0, 1000] as [Int64?])
    func `what has to be free before an export begins is what the batch leaves free`(minimum: Int64?) async throws {
        let fixture = try BatchFixture(["a.mov"])
        let asked = Locked<[Int64?]>([])
        let batch = try await Batch(
            try fixture.plan(), minFreeDiskSpaceLimit: minimum,
            exporter: fixture.exporter { work in asked.withLock { $0.append(work.minimumFreeSpace) } })
        #expect(await batch.run().done == 1)
        let usual = BatchQueue.reserve(on: diskSize(fixture.outputs))
        #expect(asked.withLock { $0 } == [minimum ?? usual])
    }

    @Test func `a full disk is waited for`() async throws {
        let fixture = try BatchFixture(["a.mov"])
        let summary = try await fixture.run(try fixture.plan()) { [runs = fixture.runs] work in
            if runs.withLock({ $0["a.mov"] }) == 1 { throw RushesError(.diskFull, "No space left.") }
        }
        #expect(summary.done == 1 && fixture.runs.withLock { $0["a.mov"] } == 2)
    }
}
