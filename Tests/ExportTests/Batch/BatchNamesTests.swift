import Encoding
import Errors
import Foundation
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Export

/// What has an output's name already is replaced by nothing that it was not made of.
@Suite(.timeLimit(.minutes(10))) struct BatchNamesTests {
    @Test func `an output that somebody else made is not replaced unless asked for`() async throws {
        let fixture = try BatchFixture()
        try Data("mine".utf8).write(to: URL(filePath: fixture.folder.file("out/b.mp4")))
        let plan = try fixture.plan()
        #expect(plan.problems().map(\.isFatal) == [true])
        let summary = try await fixture.run(plan)
        #expect(summary.done == 2 && summary.failures.count == 1)
        #expect(try fixture.text("b.mp4") == "mine")
        let forced = try fixture.plan(overwrite: true)
        #expect(forced.problems() == [])
        #expect(try await fixture.run(forced).isComplete)
        #expect(try fixture.text("b.mp4") == "b.movb.mov")
    }

    @Test func `two inputs of one name make one output, and the second fails`() async throws {
        let fixture = try BatchFixture(["clip.mov", "clip.mp4"])
        let (first, second) = ("in/clip.mov", "in/clip.mp4")
        // As a watched folder's come, whether the first is waiting, running or done.
        for joins in [false, true] {
            let batch = try await Batch(
                try fixture.plan([], overwrite: true), isOpen: true, exporter: fixture.exporter(),
                tell: { event in fixture.summaries.withLock { $0.append(event) } })
            await batch.add(FilePath(fixture.folder.file(first)))
            if joins { await batch.add(FilePath(fixture.folder.file(second))) }
            let run = Task { await batch.run() }
            if !joins {
                while await batch.queue.items.contains(where: { $0.status != .done }) { await Task.yield() }
                await batch.add(FilePath(fixture.folder.file(second)))
            }
            // One that comes again is the same file.
            await batch.close()
            let summary = await run.value
            #expect(summary.done + summary.skipped == 1 && summary.failures.count == 1 && !summary.isComplete)
            let wanted = "would both become \(fixture.folder.file("out/clip.mp4"))"
            #expect(summary.failures.first?.reason.contains(wanted) == true, "\(summary.failures)")
            #expect(try fixture.text("clip.mp4") == "clip.movclip.mov")
        }
        #expect(fixture.runs.withLock { $0["clip.mp4"] } == nil)
    }

    @Test func `no file that is added is replaced by its own export, or by another's`() async throws {
        let fixture = try BatchFixture(["a.mp4", "b.mov"])
        let manager = FileManager.default
        // The first is its own output by another name, the second's output is the first.
        try manager.createSymbolicLink(atPath: fixture.folder.file("same"), withDestinationPath: "in")
        var plan = try BatchPlan(
            inputs: [], outputs: FilePath(fixture.folder.file("same")), ending: "mp4", settings: ExportSettings(),
            replacesExisting: true)
        #expect(throws: RushesError.self) { try plan.watch(FilePath(fixture.folder.file("in"))) }
        try manager.createSymbolicLink(atPath: fixture.folder.file("in/b.mp4"), withDestinationPath: "a.mp4")
        let batch = try await Batch(plan, isOpen: true, exporter: fixture.exporter())
        for name in ["a.mp4", "b.mov"] { await batch.add(FilePath(fixture.folder.file("in/\(name)"))) }
        await batch.close()
        let summary = await batch.run()
        #expect(summary.done == 0 && summary.failures.count == 2, "\(summary)")
        #expect(summary.failures.allSatisfy { $0.reason.contains("would replace the input") }, "\(summary)")
        #expect(try String(contentsOfFile: fixture.folder.file("in/a.mp4"), encoding: .utf8) == "a.mp4")
    }

    @Test func `an output of another input is not replaced by going on`() async throws {
        let fixture = try BatchFixture(["clip.mov", "clip.mkv"])
        _ = try await fixture.run(try fixture.plan(["clip.mov"]))
        let plan = try fixture.plan(["clip.mkv"])
        #expect(plan.problems(isResuming: true).map(\.reason).contains { $0.contains("already exists") })
        let summary = try await fixture.run(plan)
        #expect(summary.done == 0 && summary.failures.first?.reason.contains("already exists") == true)
        #expect(try fixture.text("clip.mp4") == "clip.movclip.mov")
        // Changed inputs are still the same ones.
        try fixture.write("clip.mov", "new")
        #expect(try await fixture.run(try fixture.plan(["clip.mov"])).done == 1)
        #expect(try fixture.text("clip.mp4") == "newnew")
    }

    @Test(arguments: [false, true]) func `without having been asked for, nothing is replaced that is of another file`(
        isStep: Bool
    ) async throws {
        let fixture = try BatchFixture(["clip.mov"])
        _ = try await fixture.run(try fixture.plan())
        // Other settings, then another file of the same name.
        for round in 0...1 {
            var plan = try fixture.plan(settings: ExportSettings(preset: round == 0 ? "h264" : "hevc"))
            if round == 1 { try fixture.write("clip.mov", "next card") }
            #expect(plan.problems(isResuming: true) == [])
            plan.renewsOutputs = false
            let problems = plan.problems(isResuming: true)
            #expect(problems.count == 1 && problems.allSatisfy { $0.isFatal && $0.reason.contains("earlier batch") })
            // Twice: that it was refused must not make it free.
            for _ in 0...1 {
                let summary: BatchSummary
                if isStep {
                    try await plan.write()
                    let kept = try BatchPlan(resuming: plan.folder, step: 0)
                    summary = try await Batch(step: 0, of: kept, exporter: fixture.exporter()).run()
                } else {
                    summary = try await fixture.run(plan)
                }
                #expect(summary.failures.first?.reason.contains("earlier batch") == true, "\(summary)")
            }
            #expect(try fixture.text("clip.mp4") == "clip.movclip.mov")
        }
    }

    @Test func `a file that comes under the name of an earlier one becomes one beside it`() async throws {
        let fixture = try BatchFixture(["C0001.mov"])
        let input = FilePath(fixture.folder.file("in/C0001.mov"))
        // The cards of a camera; then the folder is watched again, and the last one is still there.
        for (card, done) in [("one", 1), ("second", 1), ("third", 1), ("third", 0)] {
            if (try? fixture.text("C0001.3.mp4")) == nil { try fixture.write("C0001.mov", card) }
            var plan = try fixture.plan([])
            plan.renewsOutputs = false
            let batch = try await Batch(plan, isOpen: true, exporter: fixture.exporter())
            await batch.add(input)
            await batch.close()
            let summary = await batch.run()
            #expect(summary.isComplete && summary.done == done && summary.skipped == 1 - done, "\(summary)")
        }
        #expect(fixture.names == ["C0001.2.mp4", "C0001.3.mp4", "C0001.mp4"])
        #expect(try fixture.text("C0001.mp4") == "oneone")
        #expect(try fixture.text("C0001.2.mp4") == "secondsecond" && fixture.text("C0001.3.mp4") == "thirdthird")
    }

    @Test func `an input that only got another number on its disk is not exported again`() async throws {
        let fixture = try BatchFixture(["C0001.mov"])
        let path = FilePath(fixture.folder.file("in/C0001.mov"))
        func watch() async throws -> BatchSummary {
            var plan = try fixture.plan([])
            plan.renewsOutputs = false
            let batch = try await Batch(plan, isOpen: true, exporter: fixture.exporter())
            await batch.add(path)
            await batch.close()
            return await batch.run()
        }
        #expect(try await watch().done == 1)
        let before = try #require(FileVersion(path))
        // As a card that is put in again: the same bytes, size and time.
        _ = try await Tool.run(
            "bash", ["-c", "cp -p C0001.mov new && mv new C0001.mov"], folder: fixture.folder.file("in"))
        let after = try #require(FileVersion(path))
        try #require(before.inode != after.inode && before.modified == after.modified)
        let again = try await watch()
        #expect(again.skipped == 1 && again.done == 0, "\(again)")
        #expect(fixture.names == ["C0001.mp4"] && fixture.runs.withLock { $0["C0001.mov"] } == 1)
    }

    @Test func `a refusal leaves what was done as it is`() async throws {
        let fixture = try BatchFixture(["clip.mov"])
        for (preset, done, skipped) in [("hevc", 1, 0), ("h264", 0, 0), ("hevc", 0, 1)] {
            var plan = try fixture.plan(settings: ExportSettings(preset: preset))
            plan.renewsOutputs = false
            let summary = try await fixture.run(plan)
            #expect(summary.done == done && summary.skipped == skipped, "\(preset): \(summary)")
        }
        #expect(fixture.runs.withLock { $0["clip.mov"] } == 1 && fixture.leftovers == [])
        // One that is complete, but has not got its name, is not forgotten either.
        let plan = try fixture.plan(settings: ExportSettings(preset: "hevc"))
        var record = try #require(plan.folder.record(of: plan.items[0]))
        record.state = .finishing
        try plan.folder.write(record, of: plan.items[0])
        var other = try fixture.plan(settings: ExportSettings(preset: "h264"))
        other.renewsOutputs = false
        #expect(try await fixture.run(other).failures.count == 1)
        #expect(plan.folder.record(of: plan.items[0])?.state == .finishing)
        #expect(try await fixture.run(plan).skipped == 1)
        #expect(fixture.runs.withLock { $0["clip.mov"] } == 1)
    }
}
