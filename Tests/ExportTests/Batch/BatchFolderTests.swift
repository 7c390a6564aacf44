import FileSystem
import Encoding
import Errors
import Foundation
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Export

/// What a killed batch finds of itself: each state that a kill can leave.
@Suite(.timeLimit(.minutes(10))) struct BatchFolderTests {
    /// Brings an item to the state in which the kill found it.
    private func killed(
        _ fixture: BatchFixture, _ body: (_ step: BatchStep, _ draft: FilePath, inout BatchRecord) throws -> Void
    ) throws {
        let plan = try fixture.plan()
        let lock = try plan.open()
        defer { lock.release(BatchLock.whole) }
        let step = BatchStep(item: plan.items[0], plan: plan)
        guard case .export(var record, let work) = try step.prepare(attempt: 1) else {
            Issue.record("It was to be exported.")
            return
        }
        try Data("half".utf8).write(to: URL(filePath: step.draft(in: work).string))
        try body(step, step.draft(in: work), &record)
    }

    @Test func `what was in flight is done again`() async throws {
        let fixture = try BatchFixture(["a.mov"])
        try killed(fixture) { _, _, _ in }
        #expect(fixture.leftovers.count == 1 && fixture.names == [])
        let summary = try await fixture.run(try BatchPlan(resuming: BatchFolder(outputs: fixture.outputs)))
        #expect(summary.done == 1 && fixture.leftovers == [])
        let record = try #require(BatchFolder(outputs: fixture.outputs).record(of: try fixture.plan().items[0]))
        #expect(record.state == .done && record.starts == 2 && record.completions == 1)
    }

    @Test(arguments: [false, true]) func `what was complete only gets its name`(hasName: Bool) async throws {
        let fixture = try BatchFixture(["a.mov"])
        try killed(fixture) { step, draft, record in
            record.state = .finishing
            record.result = FileVersion(draft)
            record.completions = 1
            try step.folder.write(record, of: step.item)
            if hasName {
                try FileManager.default.moveItem(atPath: draft.string, toPath: step.item.output.string)
            }
        }
        let summary = try await fixture.run(try BatchPlan(resuming: BatchFolder(outputs: fixture.outputs)))
        #expect(summary.skipped == 1 && fixture.runs.withLock { $0 } == [:])
        #expect(try fixture.text("a.mp4") == "half" && fixture.leftovers == [])
    }

    @Test func `a record that is not whole counts as none`() async throws {
        let fixture = try BatchFixture(["a.mov"])
        _ = try await fixture.run(try fixture.plan())
        let items = fixture.folder.file("out/.rushes-batch/items")
        for name in try FileManager.default.contentsOfDirectory(atPath: items) {
            try Data("{".utf8).write(to: URL(filePath: "\(items)/\(name)"))
        }
        let plan = try fixture.plan()
        // Then nobody knows whose the output is.
        #expect(plan.problems(isResuming: true).count == 1)
        #expect(try await fixture.run(plan).failures.count == 1)
    }

    @Test func `names hold any byte`() async throws {
        let fixture = try BatchFixture([])
        let names: [[UInt8]] = [
            Array("quote ' \" ! %d\nline.mov".utf8), [0x66, 0xFF, 0xFE, 0x2E] + Array("mov".utf8),
            Array("a\\b %2F.mov".utf8),
        ]
        for name in names {
            let path = FilePath(fixture.folder.file("in")).appending(
                try #require(FilePath.Component(platformString: name.map { CChar(bitPattern: $0) } + [0])))
            let file = try FileDescriptor.open(path, .writeOnly, options: [.create], permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll("x".utf8) }
        }
        let plan = try fixture.plan()
        #expect(plan.items.count == 3)
        try await plan.write()
        let read = try BatchPlan(resuming: plan.folder)
        #expect(read.items.map(\.input) == plan.items.map(\.input))
        #expect(read.items.map(\.output) == plan.items.map(\.output))
        let copy: BatchExporter = { work in
            BatchExport(run: { _ in
                let file = try FileDescriptor.open(
                    work.destination.path, .writeOnly, options: [.create, .exclusiveCreate],
                    permissions: .ownerReadWrite)
                try file.closeAfter { _ = try file.writeAll("y".utf8) }
                return ExportResult(path: work.destination.path, size: 1, duration: 1, frames: 1)
            })
        }
        for number in plan.items.indices {
            #expect(try await Batch(step: number, of: read, exporter: copy).run().done == 1)
            #expect(try await Batch(step: number, of: read, exporter: copy).run().skipped == 1)
        }
        #expect(plan.items.allSatisfy { FileVersion($0.output)?.size == 1 })
    }

    @Test func `steps run beside each other, each file once`() async throws {
        let fixture = try BatchFixture()
        let plan = try fixture.plan()
        try await plan.write()
        // Twice each, all at once: of two that want the same file one waits for the other.
        let ends = try await withThrowingTaskGroup(of: BatchSummary.self) { group in
            for number in [0, 0, 1, 1, 2, 2] {
                group.addTask { try await Batch(step: number, of: plan, exporter: fixture.exporter()).run() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.reduce(0) { $0 + $1.done } == 3)
        #expect(ends.reduce(0) { $0 + $1.skipped } == 3 && ends.allSatisfy(\.isComplete), "\(ends)")
        #expect(fixture.runs.withLock { $0 } == ["a.mov": 1, "b.mov": 1, "c.mov": 1] && fixture.leftovers == [])
        await #expect(throws: RushesError.self) { try await Batch(step: 3, of: plan, exporter: fixture.exporter()) }
    }

    @Test func `what is wrong with names is said of all, before anything is begun`() throws {
        let fixture = try BatchFixture(["a.mov", "a.mkv", "b.mov"])
        try Data("x".utf8).write(to: URL(filePath: fixture.folder.file("out/c.mp4")))
        let inputs = ["a.mov", "a.mkv", "b.mov", "gone.mov", "../out/c.mp4"].map {
            FilePath(fixture.folder.file("in/\($0)"))
        }
        let plan = try BatchPlan(
            inputs: inputs, outputs: fixture.outputs, ending: "mp4", settings: ExportSettings(), replacesExisting: true)
        let problems = plan.problems()
        // Of two with one output the second fails by itself.
        #expect(problems.map(\.isFatal) == [false, false, true])
        #expect(problems[0].reason.contains("a.mov") && problems[0].reason.contains("a.mkv"))
        #expect(problems[1].reason.contains("gone.mov does not exist"))
        #expect(problems[2].reason.contains("would replace the input"))
    }

    @Test func `a folder that cannot be made is said once`() throws {
        let fixture = try BatchFixture()
        try Data().write(to: URL(filePath: fixture.folder.file("file")))
        let plan = try BatchPlan(
            inputs: [FilePath(fixture.folder.file("in"))], outputs: FilePath(fixture.folder.file("file/nowhere")),
            ending: "mp4",
            settings: ExportSettings())
        #expect(plan.problems().map(\.isFatal) == [true])
        let (inputs, outputs) = (FilePath(fixture.folder.file("in")), fixture.outputs)
        for (input, output) in [(outputs, inputs), (inputs, inputs)] {
            // One without movies, and one that would be exported into itself.
            #expect(throws: RushesError.self) {
                try BatchPlan(inputs: [input], outputs: output, ending: "mp4", settings: ExportSettings())
            }
        }
    }
}
