import Encoding
import Errors
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Export

/// A batch of a folder with folders, and of files that get in each other's way.
@Suite(.timeLimit(.minutes(10))) struct SubfolderTests {
    private let manager = FileManager.default

    private func outputs(_ fixture: BatchFixture) throws -> [String] {
        try manager.subpathsOfDirectory(atPath: fixture.outputs.string)
            .filter { $0.hasSuffix(".mp4") && !$0.hasPrefix(BatchFolder.name) }.sorted()
    }

    @Test func `folders within are searched, and the outputs lie in folders of the same names`() async throws {
        let names = [
            "b.mov", "day 2/clip.mov", "day 10/clip.mov", "day 2/deep/clip.mov", ".hidden/x.mov", "day 2/.x.mov",
        ]
        let fixture = try BatchFixture(names)
        // A link that leads back, and the outputs themselves.
        try manager.createSymbolicLink(atPath: fixture.folder.file("in/day 2/back"), withDestinationPath: "..")
        #expect(try fixture.plan().items.map(\.displayName) == ["b.mov"])
        let plan = try fixture.plan(recursive: true)
        #expect(
            plan.items.map(\.displayName) == ["b.mov", "day 2/clip.mov", "day 2/deep/clip.mov", "day 10/clip.mov"])
        #expect(plan.problems() == [])
        #expect(try await fixture.run(plan).done == 4)
        let made = ["b.mp4", "day 10/clip.mp4", "day 2/clip.mp4", "day 2/deep/clip.mp4"]
        #expect(try outputs(fixture) == made && fixture.leftovers == [])
        // It is found again by who resumes it, with files and without, and from elsewhere.
        #expect(try await fixture.run(try fixture.plan(recursive: true)).skipped == 4)
        #expect(try BatchPlan(resuming: fixture.outputs).items.map(\.output) == plan.items.map(\.output))
        try manager.moveItem(atPath: fixture.outputs.string, toPath: fixture.folder.file("moved"))
        let moved = try BatchPlan(resuming: FilePath(fixture.folder.file("moved")))
        #expect(try await fixture.run(moved).skipped == 4)
        #expect(fixture.runs.withLock { $0.values.reduce(0, +) } == 4)
    }

    @Test func `outputs within the inputs are no inputs`() async throws {
        let fixture = try BatchFixture(["a.mov", "out/old.mov"])
        let plan = try BatchPlan(
            inputs: [FilePath(fixture.folder.file("in"))], outputs: FilePath(fixture.folder.file("in/out")),
            ending: "mov", settings: ExportSettings(), includesSubfolders: true)
        #expect(plan.items.map(\.displayName) == ["a.mov"])
    }

    @Test func `what comes to a watched folder's subfolders lies in folders of the same names`() async throws {
        let fixture = try BatchFixture(["a.mov", "day 1/a.mov", "in/a.mov", "in/deep/a.mov"])
        func run(into outputs: String, _ names: [String]) async throws -> BatchSummary {
            var plan = try BatchPlan(
                inputs: [], outputs: FilePath(fixture.folder.file(outputs)), ending: "mp4", settings: ExportSettings())
            try plan.watch(FilePath(fixture.folder.file("in")))
            let batch = try await Batch(plan, isOpen: true, exporter: fixture.exporter())
            let run = Task { await batch.run() }
            for name in names { await batch.add(FilePath(fixture.folder.file("in/\(name)"))) }
            await batch.close()
            return await run.value
        }
        #expect(try await run(into: "out", ["a.mov", "day 1/a.mov"]).done == 2)
        #expect(try outputs(fixture) == ["a.mp4", "day 1/a.mp4"])
        // Another file of the name, in its folder too.
        try fixture.write("day 1/a.mov", "another")
        #expect(try await run(into: "out", ["a.mov", "day 1/a.mov"]).skipped == 1)
        #expect(try outputs(fixture) == ["a.mp4", "day 1/a.2.mp4", "day 1/a.mp4"])
        // Outputs within the watched folder are not searched; beside it they must not come to it.
        #expect(try await run(into: "in/out", ["day 1/a.mov"]).done == 1)
        try manager.createSymbolicLink(atPath: fixture.folder.file("link"), withDestinationPath: ".")
        for outputs in ["", "link"] {
            let summary = try await run(into: outputs, ["in/a.mov", "in/deep/a.mov", "day 1/a.mov"])
            #expect(summary.done == 1 && summary.failures.count == 2, "\(summary)")
            #expect(summary.failures.allSatisfy { $0.reason.contains("would be exported in turn") }, "\(summary)")
            try manager.removeItem(atPath: fixture.folder.file("day 1"))
            try manager.removeItem(atPath: fixture.folder.file(BatchFolder.name))
        }
        #expect(!manager.fileExists(atPath: fixture.folder.file("in/a.mp4")))
    }

    @Test func `no output goes through a link that lies in the folder of the outputs`() async throws {
        let fixture = try BatchFixture(["day/a.mov", "b.mov"])
        try manager.createDirectory(atPath: fixture.folder.file("treasure"), withIntermediateDirectories: false)
        try manager.createSymbolicLink(
            atPath: fixture.folder.file("out/day"), withDestinationPath: fixture.folder.file("treasure"))
        let summary = try await fixture.run(try fixture.plan(recursive: true))
        #expect(summary.done == 1 && summary.failures.first?.reason.contains("is a link") == true, "\(summary)")
        #expect(try manager.contentsOfDirectory(atPath: fixture.folder.file("treasure")) == [])
    }

    @Test(arguments: ["/../../notes.mp4", "/.rushes-batch/items/a.json", "/..", "/day/../../x.mp4"])
    func `a manifest leads nowhere else`(name: String) async throws {
        let fixture = try BatchFixture(["day/a.mov"])
        let plan = try fixture.plan(recursive: true)
        try await plan.write()
        let file = fixture.folder.file("out/.rushes-batch/manifest.json")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let other = text.replacing(#""name" : "/day/a.mp4""#, with: "\"name\" : \"\(name)\"")
        try #require(other != text)
        try other.write(toFile: file, atomically: false, encoding: .utf8)
        #expect(try BatchPlan(resuming: plan.folder).items == [])
    }

    @Test func `of two files with one output the second fails, and the rest is done`() async throws {
        let fixture = try BatchFixture(["a.mkv", "a.mov", "b.mov"])
        let plan = try fixture.plan()
        #expect(plan.problems().map(\.isFatal) == [false])
        let summary = try await fixture.run(plan)
        #expect(summary.done == 2 && summary.failures.count == 1, "\(summary)")
        #expect(summary.failures.first?.reason.contains("would both become") == true)
        #expect(try fixture.text("a.mp4") == "a.mkva.mkv")
        // Steps of others know nothing of it.
        #expect(try BatchPlan(resuming: fixture.outputs).items.map(\.displayName) == ["a.mkv", "b.mov"])
    }

    @Test func `a name that its output cannot have fails before it is exported, and alone`() async throws {
        let long = String(repeating: "n", count: 252) + ".ts"
        let fixture = try BatchFixture([long, "b.mov"])
        let plan = try fixture.plan()
        #expect(plan.problems().map(\.isFatal) == [false])
        for _ in 0...1 {
            let summary = try await fixture.run(plan)
            #expect(summary.failures.first?.reason.contains("255 bytes") == true, "\(summary)")
        }
        #expect(fixture.runs.withLock { $0 } == ["b.mov": 1] && fixture.names == ["b.mp4"])
    }

    @Test func `what a folder holds beside movies is named, and a folder that cannot be read`() throws {
        let fixture = try BatchFixture(["a.mov", "tape.m2t", "x.M1V", "notes.txt", "deep/sheet.csv", ".DS_Store"])
        let plan = try fixture.plan(recursive: true)
        #expect(plan.items.map(\.displayName) == ["a.mov", "tape.m2t", "x.M1V"])
        #expect(plan.notes == ["2 files of other kinds are left out: notes.txt, sheet.csv."])
        #expect(try fixture.plan().notes == ["A file of another kind is left out: notes.txt."])
    }

    @Test(.enabled(if: geteuid() != 0, "root reads every folder"))
    func `a folder that cannot be read is none without movies`() throws {
        let fixture = try BatchFixture(["deep/a.mov", "b.mov"])
        let folder = fixture.folder.file("in/deep")
        chmod(folder, 0)
        defer { chmod(folder, 0o700) }
        #expect(try fixture.plan(recursive: true).notes.first?.contains("cannot be read and is left out") == true)
        #expect(throws: RushesError.self) { try fixture.plan(["deep"]) }
    }
}

extension SubfolderTests {
    @Test func `a container of audio takes audio files too, and others do not`() throws {
        let names = ["a.mov", "b.wav", "c.FLAC", "d.txt", "within/e.m4a"]
        let fixture = try BatchFixture(names)
        func plan(_ container: Container?) throws -> BatchPlan {
            try BatchPlan(
                inputs: [FilePath(fixture.folder.file("in"))], outputs: fixture.outputs, settings: ExportSettings(),
                container: container, includesSubfolders: true)
        }
        let music = try plan(.mp3)
        #expect(music.areMadeOfAudio)
        #expect(
            music.items.map { String($0.output.string.dropFirst(fixture.outputs.string.count + 1)) } == [
                "a.mp3", "b.mp3", "c.mp3", "within/e.mp3",
            ])
        #expect(music.notes.count == 1, "\(music.notes)")
        #expect(try plan(.mkv).items.map { $0.output.lastComponent?.string } == ["a.mkv"])
        #expect(try plan(nil).items.map { $0.output.lastComponent?.string } == ["a.mp4"])
        #expect(throws: RushesError.self) { _ = try plan(.webm) }
    }
}
