import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import LiveActivity

/// Frames outlive the work that they show, and not for ever.
struct ThumbnailTests {
    private func make(_ count: Int, old seconds: Double, in folder: TemporaryFolder) throws {
        for number in 0..<count {
            let file = folder.file("\(Int(seconds))-\(number).jpg")
            try Data("frame".utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: file)
        }
    }

    @Test func `frames that nobody is shown any more are removed, and nothing else`() throws {
        let folder = try TemporaryFolder()
        try make(3, old: 60, in: folder)
        try make(2, old: 5 * 3600, in: folder)
        try Data().write(to: URL(filePath: folder.file("mine.txt")))
        OldFiles.tidy(FilePath(folder.path), ending: ".jpg")
        #expect(Set(folder.contents) == ["60-0.jpg", "60-1.jpg", "60-2.jpg", "mine.txt"])
    }

    @Test func `of very many the newest stay`() throws {
        let folder = try TemporaryFolder()
        try make(150, old: 60, in: folder)
        try make(150, old: 600, in: folder)
        OldFiles.tidy(FilePath(folder.path), ending: ".jpg")
        #expect(folder.contents.count == 200 && folder.contents.count { $0.hasPrefix("60-") } == 150)
    }

    @Test func `how work was begun that still runs, or has just failed, is kept however long ago that was`()
        async throws
    {
        let folder = try TemporaryFolder()
        let journal = ActivityJournal(directory: FilePath(folder.file("journal")))
        let center = ActivityCenter()
        let keeper = journal.keep(center)
        try FileManager.default.createDirectory(
            at: URL(filePath: folder.file("journal/live")), withIntermediateDirectories: true)
        let watch = try FolderWatch([FilePath(folder.file("journal/live"))], [.created, .movedHere, .written])
        let command = ActivityCommand(arguments: ["transcode", "a.mov"], folder: "/home/me")
        let activity = try center.request(
            kind: .transcode, attributes: ActivityAttributes(title: "a"),
            content: ActivityContent(state: ContentState(phase: .running), staleDate: nil), start: nil)
        let ids = [activity.id, "gone"]
        func age() throws {
            for id in ids {
                try? FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -5 * 3600)],
                    ofItemAtPath: folder.file("journal/commands/\(id).json"))
            }
        }
        for id in ids { journal.keep(command, of: id) }
        try age()
        // Its file is there with the first event that is written down.
        try await onOwnThread("journal") {
            while (try? journal.folder.liveIdentifiers())?.isEmpty != false { _ = watch.names(within: .seconds(60)) }
        }
        journal.keep(command, of: "another")
        #expect(journal.command(of: activity.id) != nil && journal.command(of: "gone") == nil)
        activity.end(ActivityContent(state: ContentState(phase: .failed), staleDate: nil))
        await keeper.finish()
        journal.keep(command, of: "a third")
        #expect(journal.command(of: activity.id) == command)
    }

    @Test func `how an activity was begun is kept until it ends well, and no name leads out of the folder`() throws {
        let folder = try TemporaryFolder()
        let journal = ActivityJournal(directory: FilePath(folder.file("journal")))
        let command = ActivityCommand(arguments: ["transcode", "a b.mov", "-o", "ü.mp4"], folder: "/home/me")
        journal.keep(command, of: "one")
        #expect(journal.command(of: "one") == command && journal.command(of: "two") == nil)
        for id in ["../one", "/etc/passwd", ".", ".."] {
            journal.keep(command, of: id)
            #expect(journal.command(of: id) == nil)
        }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).count == 3)
        journal.forgetCommand(of: "one")
        #expect(journal.command(of: "one") == nil)
    }
}
