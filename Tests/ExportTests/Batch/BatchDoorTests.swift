import Errors
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Export

/// Links that somebody planted, and files that are not this user's.
@Suite(.timeLimit(.minutes(10))) struct BatchDoorTests {
    private let fixture: BatchFixture
    private let manager = FileManager.default

    init() throws {
        fixture = try BatchFixture(["a.mov"])
        for name in ["treasure/0a1b", "treasure/statistics"] {
            try manager.createDirectory(atPath: fixture.folder.file(name), withIntermediateDirectories: true)
        }
        for name in ["movie.mov", "0a1b/movie.mov", "notes.txt", "lock", "manifest.json"] {
            try Data("mine".utf8).write(to: URL(filePath: treasure + "/\(name)"))
        }
    }

    private var treasure: String { fixture.folder.file("treasure") }
    private var hidden: String { fixture.folder.file("out/.rushes-batch") }
    /// In the folder of exports that are under way.
    private func work(_ name: String) -> String { FilePath(hidden).appending("work").appending(name).string }
    private func contents(_ path: String) throws -> [String] { try manager.subpathsOfDirectory(atPath: path).sorted() }

    /// The folder as a batch leaves it, and in place of one part a link to the treasure.
    private func plant(_ part: String) throws {
        try fixture.plan().open().release(BatchLock.whole)
        let path = part.isEmpty ? hidden : "\(hidden)/\(part)"
        if manager.fileExists(atPath: path) { try manager.removeItem(atPath: path) }
        let isFile = ["lock", "manifest.json"].contains(part)
        try manager.createSymbolicLink(
            atPath: path, withDestinationPath: isFile ? "\(treasure)/\(part)" : treasure)
    }

    @Test(arguments: ["", "work", "items", "lock"]) func `a link is refused and nothing behind it is touched`(
        part: String
    ) async throws {
        try plant(part)
        let before = try contents(treasure)
        let plan = try fixture.plan()
        await #expect(throws: RushesError.self) { try await plan.write() }
        await #expect(throws: RushesError.self) { try await Batch(plan, exporter: fixture.exporter()) }
        if part != "lock" {
            #expect(plan.problems().map(\.isFatal) == [true])
            #expect(plan.problems().first?.reason.contains("is a link or a file") == true)
        }
        #expect(try contents(treasure) == before)
        #expect(try String(contentsOfFile: treasure + "/lock", encoding: .utf8) == "mine")
        #expect(fixture.runs.withLock { $0 } == [:])
    }

    @Test func `a manifest that is a link is no manifest, and is replaced, not what it leads to`() async throws {
        try plant("manifest.json")
        #expect(throws: RushesError.self) { try BatchPlan(resuming: BatchFolder(outputs: fixture.outputs)) }
        try await fixture.plan().write()
        #expect(try String(contentsOfFile: treasure + "/manifest.json", encoding: .utf8) == "mine")
        #expect(try BatchPlan(resuming: BatchFolder(outputs: fixture.outputs)).items.count == 1)
    }

    @Test func `an item's work folder that is a link fails the item, and nothing is written through it`() async throws {
        let plan = try fixture.plan()
        try await plan.write()
        let key = String(plan.items[0].key, radix: 16)
        try manager.createSymbolicLink(atPath: work("\(key).1"), withDestinationPath: treasure)
        let before = try contents(treasure)
        let summary = try await fixture.run(plan)
        #expect(summary.failures.count == 1 && fixture.names == [])
        #expect(try contents(treasure) == before)
        #expect(try String(contentsOfFile: treasure + "/notes.txt", encoding: .utf8) == "mine")
    }

    /// Who may write to the folder around can put another in its place once it has been looked at.
    @Test
    func `a work folder that is exchanged for a link under way is not left, and nothing is written through the link`()
        async throws
    {
        let plan = try fixture.plan()
        try await plan.write()
        let name = "\(String(plan.items[0].key, radix: 16)).1"
        let before = try contents(treasure)
        let (folder, treasure) = (work(name), treasure)
        let summary = try await fixture.run(plan) { _ in
            try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
            try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: treasure)
        }
        #expect(try contents(treasure) == before)
        #expect(try String(contentsOfFile: treasure + "/movie.mov", encoding: .utf8) == "mine")
        #expect(try summary.isComplete && fixture.text("a.mp4") == "a.mova.mov")
    }

    @Test func `only what Rushes names is taken away`() async throws {
        let plan = try fixture.plan()
        try await plan.write()
        let names = [
            "0a1b/movie.mov", "a1b/movie.mov", "a1b/letters/movie.mov", "holiday/movie.mov", "notes.txt",
            "b1/movie.mov", "b1/.\(UUID().uuidString).partial", "b1/thumbnail.jpg",
            "b1/.rushes-passes-x/statistics.log", "b1.2/movie.mov", "b1.02/movie.mov", "b1.x/movie.mov",
        ]
        for name in names {
            let file = URL(filePath: work(name))
            try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: file)
        }
        try manager.createSymbolicLink(atPath: work("a1b/movie.mp4"), withDestinationPath: treasure)
        try await plan.write()
        // A key and a number have no zero in front, and a link is nothing that an export makes.
        let left = [
            "0a1b", "0a1b/movie.mov", "a1b", "a1b/letters", "a1b/letters/movie.mov", "a1b/movie.mp4", "b1.02",
            "b1.02/movie.mov",
            "b1.x", "b1.x/movie.mov", "holiday",
            "holiday/movie.mov", "notes.txt",
        ]
        #expect(try contents("\(hidden)/work") == left)
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func `what another user made is not taken away, and another user's folder is refused`() async throws {
        let plan = try fixture.plan()
        try await plan.write()
        for name in ["b1/movie.mov", "b2/movie.mov"] {
            let file = URL(filePath: work(name))
            try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: file)
        }
        #expect(chown(work("b1/movie.mov"), 65534, 65534) == 0)
        #expect(chown(work("b2"), 65534, 65534) == 0)
        try await plan.write()
        #expect(try contents("\(hidden)/work") == ["b1", "b1/movie.mov", "b2", "b2/movie.mov"])
        #expect(chown(hidden, 65534, 65534) == 0)
        await #expect(throws: RushesError.self) { try await plan.write() }
        #expect(plan.problems().first?.reason.contains("belongs to another user") == true)
        #expect(try contents(hidden).contains { $0.hasSuffix(".rushes") } == false)
    }

    @Test func `outputs lie beside the records, whatever a manifest says`() async throws {
        let plan = try fixture.plan()
        try await plan.write()
        let file = "\(hidden)/manifest.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let moved = text.replacing(plan.items[0].output.string, with: "\(treasure)/notes.txt")
            .replacing(#""replacesExisting" : false"#, with: #""replacesExisting" : true"#)
        #expect(moved != text)
        try moved.write(toFile: file, atomically: false, encoding: .utf8)
        let kept = try BatchPlan(resuming: plan.folder)
        #expect(kept.items.map(\.output) == [fixture.outputs.appending("notes.txt")])
        #expect(try await fixture.run(kept).isComplete)
        #expect(try String(contentsOfFile: treasure + "/notes.txt", encoding: .utf8) == "mine")
    }
}
