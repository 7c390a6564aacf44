import Threads
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// A batch whose disk is mounted elsewhere.
@Suite(.timeLimit(.minutes(10))) struct BatchPlaceTests {
    private let manager = FileManager.default

    @Test func `all of it is found where the disk is mounted now`() async throws {
        let fixture = try BatchFixture(["a.mov", "it's 100% #1.mov"])
        try Data("TITLE".utf8).write(to: URL(filePath: fixture.folder.file("in/film.cube")))
        var settings = ExportSettings()
        settings.lookupTable = FilePath(fixture.folder.file("in/film.cube"))
        try Data("1".utf8).write(to: URL(filePath: fixture.folder.file("in/film.srt")))
        settings.burntSubtitles = .file(wireText: fixture.folder.file("in/film.srt"))
        let plan = try fixture.plan(settings: settings)
        try await plan.write()
        #expect(try await Batch(step: 0, of: plan, exporter: fixture.exporter()).run().done == 1)
        let elsewhere = try TemporaryFolder()
        for name in ["in", "out"] {
            try manager.moveItem(atPath: fixture.folder.file(name), toPath: elsewhere.file(name))
        }
        let moved = try BatchPlan(resuming: BatchFolder(outputs: FilePath(elsewhere.file("out"))))
        #expect(moved.items.map(\.input.string) == ["in/a.mov", "in/it's 100% #1.mov"].map { elsewhere.file($0) })
        #expect(moved.placedSettings.lookupTable?.string == elsewhere.file("in/film.cube"))
        #expect(moved.placedSettings.burntSubtitles?.file?.string == elsewhere.file("in/film.srt"))
        // Done is done, though it has another path.
        #expect(moved.undone() == [1])
        #expect(try await Batch(step: 0, of: moved, exporter: fixture.exporter()).run().skipped == 1)
        #expect(try await Batch(step: 1, of: moved, exporter: fixture.exporter()).run().done == 1)
        #expect(fixture.runs.withLock { $0 } == ["a.mov": 1, "it's 100% #1.mov": 1])
    }

    @Test func `inputs stay where they are when the outputs alone are moved`() async throws {
        let fixture = try BatchFixture(["a.mov"])
        try await fixture.plan().write()
        let elsewhere = try TemporaryFolder()
        try manager.moveItem(atPath: fixture.folder.file("out"), toPath: elsewhere.file("out"))
        let moved = try BatchPlan(resuming: BatchFolder(outputs: FilePath(elsewhere.file("out"))))
        #expect(moved.items.map(\.input.string) == [fixture.folder.file("in/a.mov")])
    }

    @Test func `links on the way do not lead astray`() throws {
        let folder = try TemporaryFolder()
        for name in ["a/b/out", "in"] {
            try manager.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
        }
        try manager.createSymbolicLink(atPath: folder.file("short"), withDestinationPath: folder.file("a/b"))
        try Data("x".utf8).write(to: URL(filePath: folder.file("in/a.mov")))
        var place = try #require(BatchPlace(FilePath(folder.file("short/out"))))
        let found = place.relative(FilePath(folder.file("in/a.mov")))
        let relative = try #require(found)
        #expect(relative == "/../../../in/a.mov")
        #expect(place.existing(relative)?.string.hasSuffix("/in/a.mov") == true)
        #expect(place.existing("/../../../in/b.mov") == nil)
        // Another disk's place says nothing of this one's.
        let other = place.relative("/proc/version")
        #expect(other == nil)
    }
}
