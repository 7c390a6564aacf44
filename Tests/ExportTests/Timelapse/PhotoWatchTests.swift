import Foundation
import Encoding
import Errors
import Export
import SystemPackage
import TestSupport
import Testing

/// When photos are waited for no longer.
@Suite struct PhotoWatchTests {
    @Test func `a number of photos, a duration or a pause ends it, and a photo that is written again is no other one`()
    {
        let begin = SuspendingClock.now
        var counted = PhotoWatchState(.init(count: 2), at: begin + .seconds(0))
        counted.add("a.jpg", at: begin + .seconds(1))
        counted.add("a.jpg", at: begin + .seconds(2))
        #expect(counted.photos == ["a.jpg"] && !counted.isOver(at: begin + .seconds(1e9)))
        counted.add("b.jpg", at: begin + .seconds(3))
        counted.add("c.jpg", at: begin + .seconds(3))
        #expect(counted.photos == ["a.jpg", "b.jpg"] && counted.isOver(at: begin + .seconds(3)))

        var lasting = PhotoWatchState(.init(duration: .seconds(10)), at: begin + .seconds(100))
        lasting.add("a.jpg", at: begin + .seconds(109.9))
        lasting.add("b.jpg", at: begin + .seconds(110))
        #expect(
            lasting.photos == ["a.jpg"] && !lasting.isOver(at: begin + .seconds(109.9))
                && lasting.isOver(at: begin + .seconds(110)))

        var idle = PhotoWatchState(.init(idle: .seconds(5)), at: begin + .seconds(0))
        #expect(!idle.isOver(at: begin + .seconds(4.9)) && idle.isOver(at: begin + .seconds(5)))
        idle.add("a.jpg", at: begin + .seconds(4))
        #expect(!idle.isOver(at: begin + .seconds(8.9)) && idle.isOver(at: begin + .seconds(9)))

        let endless = PhotoWatchState(.init(), at: begin + .seconds(0))
        #expect(!endless.isOver(at: begin + .seconds(1e9)))
    }

    @Test func `what could not be made is refused before anything is waited for`() throws {
        let folder = try TemporaryFolder()
        func watch(_ path: String, to name: String, preset: String = "h264") throws {
            _ = try PhotoWatch(
                FilePath(path), .init(), for: MovieDestination(FilePath(folder.file(name))),
                ExportSettings(preset: preset))
        }
        try watch(folder.path, to: "out.mp4")
        for (path, name, preset) in [
            ("/nonexistent", "out.mp4", "h264"), (folder.path, "out.avi", "h264"),
            (folder.path, "gone/out.mp4", "h264"),
            (folder.path, "out.mp4", "none"),
        ] {
            #expect(throws: RushesError.self, "\(path) \(name)") { try watch(path, to: name, preset: preset) }
        }
        try Data().write(to: URL(filePath: folder.file("there.png")))
        #expect(throws: RushesError.self) {
            _ = try PhotoWatch(
                FilePath(folder.path), .init(), for: MovieDestination(FilePath(folder.file("out.mp4"))),
                images: [MovieDestination(FilePath(folder.file("there.png")))], ExportSettings(preset: "h264"))
        }
    }
}
