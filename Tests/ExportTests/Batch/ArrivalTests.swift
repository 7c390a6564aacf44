import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Export

@Suite(.timeLimit(.minutes(10))) struct ArrivalTests {
    private let folder: TemporaryFolder

    private let begin = ContinuousClock.now

    init() throws { folder = try TemporaryFolder() }

    private func time(_ seconds: Double) -> ContinuousClock.Instant {
        begin + .milliseconds(Int((seconds * 1000).rounded()))
    }

    private func look(_ name: FilePath, _ text: String? = nil) throws -> ArrivalLedger.Look {
        let path = folder.file("\(name)")
        if let text { try Data(text.utf8).write(to: URL(filePath: path)) }
        return ArrivalLedger.Look(name: name, identity: try #require(FileVersion(FilePath(path))))
    }

    @Test func `a file that was moved in is taken at once, and once`() throws {
        var ledger = ArrivalLedger()
        let looks = [try look("a.mov", "a")]
        ledger.hear("a.mov")
        #expect(ledger.take(looks, at: time(0)) { _ in false } == ["a.mov"])
        #expect(ledger.take(looks, at: time(100)) { _ in false } == [])
        #expect(!ledger.isWaiting)
    }

    @Test func `a file that is being written is left alone until its writer has closed it`() throws {
        var ledger = ArrivalLedger()
        #expect(ledger.take([try look("a.mov", "a")], at: time(0)) { _ in true } == [])
        #expect(ledger.take([try look("a.mov")], at: time(60)) { _ in true } == [])
        #expect(ledger.isWaiting)
        ledger.hear("a.mov")
        #expect(ledger.take([try look("a.mov", "all of it")], at: time(61)) { _ in false } == ["a.mov"])
    }

    @Test func `what nobody tells of must stay the same for a while`() throws {
        var ledger = ArrivalLedger()
        #expect(ledger.take([try look("a.mov", "a")], at: time(0)) { _ in nil } == [])
        #expect(ledger.take([try look("a.mov", "more")], at: time(1.9)) { _ in nil } == [])
        #expect(ledger.take([try look("a.mov")], at: time(3.8)) { _ in nil } == [])
        #expect(ledger.take([try look("a.mov")], at: time(3.9)) { _ in nil } == ["a.mov"])
    }

    @Test func `an empty file is about to be written`() throws {
        var ledger = ArrivalLedger()
        ledger.hear("a.mov")
        #expect(ledger.take([try look("a.mov", "")], at: time(0)) { _ in false } == [])
        #expect(ledger.take([try look("a.mov")], at: time(9)) { _ in false } == [])
        #expect(ledger.take([try look("a.mov", "now")], at: time(9)) { _ in false } == ["a.mov"])
    }

    @Test func `the same name dropped again is taken again`() throws {
        var ledger = ArrivalLedger()
        let first = try look("a.mov", "first")
        ledger.hear("a.mov")
        _ = ledger.take([first], at: time(0)) { _ in false }
        // The very same file, dropped once more.
        ledger.hear("a.mov")
        #expect(ledger.take([first], at: time(1)) { _ in false } == ["a.mov"])
        // Another one, of which nobody told.
        let other = try look("a.mov", "another")
        #expect(ledger.take([other], at: time(2)) { _ in false } == [])
        #expect(ledger.take([other], at: time(5)) { _ in false } == ["a.mov"])
    }

    @Test func `what is told late, of a file that was taken as it stayed the same, is no other file`() throws {
        var ledger = ArrivalLedger()
        let first = try look("a.mov", "first")
        _ = ledger.take([first], at: time(0)) { _ in false }
        #expect(ledger.take([first], at: time(2)) { _ in false } == ["a.mov"])
        ledger.hear("a.mov")
        #expect(ledger.take([first], at: time(3)) { _ in false } == [] && !ledger.isWaiting)
        // From then on it counts.
        ledger.hear("a.mov")
        #expect(ledger.take([first], at: time(4)) { _ in false } == ["a.mov"])
    }

    @Test func `what is told of a file just when it is taken is of no other file`() throws {
        var ledger = ArrivalLedger()
        let first = try look("a.mov", "first")
        ledger.hear("a.mov")
        #expect(ledger.take([first], at: time(0)) { _ in false } == ["a.mov"])
        ledger.hearOfTaken("a.mov")
        #expect(ledger.take([first], at: time(1)) { _ in false } == [] && !ledger.isWaiting)
        ledger.hear("a.mov")
        #expect(ledger.take([first], at: time(2)) { _ in false } == ["a.mov"])
    }

    /// Each file is closed twice: by who made it, and by who added to it while it was being looked at.
    @Test func `files that are closed again and again as they are looked at come once each`() async throws {
        let watched = folder.file("in")
        try FileManager.default.createDirectory(atPath: watched, withIntermediateDirectories: false)
        let arrivals = try FolderArrivals.movies(in: FilePath(watched))
        let count = 300
        for number in 0..<count {
            let path = FilePath("\(watched)/\(number).mov")
            let one = try FileDescriptor.open(path, .writeOnly, options: [.create], permissions: .ownerReadWrite)
            try one.writeAll("half".utf8)
            let other = try FileDescriptor.open(path, .writeOnly, options: .append)
            try one.close()
            await Task.yield()
            try other.close()
        }
        var (names, seen): ([String], Set<String>) = ([], [])
        for await path in arrivals {
            let name = path.lastComponent?.string ?? ""
            names.append(name)
            seen.insert(name)
            if name == "last.mov" { break }
            // What was to come twice has come before this one.
            if seen.count == count { try Data("x".utf8).write(to: URL(filePath: "\(watched)/last.mov")) }
        }
        #expect(names.count == count + 1 && seen.count == count + 1, "\(names)")
    }

    @Test func `what lies in a folder that cannot be read for a while is not taken again`() throws {
        var ledger = ArrivalLedger()
        let card = FilePath(folder.file("card"))
        try FileManager.default.createDirectory(atPath: card.string, withIntermediateDirectories: false)
        let (first, outside) = (try look("card/a.mov", "first"), try look("cards.mov", "outside"))
        for look in [first, outside] { ledger.hear(look.name) }
        #expect(ledger.take([first, outside], at: time(0)) { _ in false }.count == 2)
        #expect(ledger.take([outside], without: ["card"], at: time(1)) { _ in false } == [])
        #expect(ledger.take([first, outside], at: time(2)) { _ in false } == [])
        #expect(ledger.take([first, outside], at: time(9)) { _ in false } == [] && !ledger.isWaiting)
        // Another one is, and one that was away for good.
        let other = try look("card/a.mov", "another")
        #expect(ledger.take([outside], without: ["card"], at: time(10)) { _ in false } == [])
        _ = ledger.take([other, outside], at: time(11)) { _ in false }
        #expect(ledger.take([other, outside], at: time(13)) { _ in false } == ["card/a.mov"])
        _ = ledger.take([outside], at: time(14)) { _ in false }
        _ = ledger.take([other, outside], at: time(15)) { _ in false }
        #expect(ledger.take([other, outside], at: time(17)) { _ in false } == ["card/a.mov"])
    }

    @Test func `movies are taken from a real folder as they come`() async throws {
        let watched = folder.file("in")
        try FileManager.default.createDirectory(atPath: watched, withIntermediateDirectories: false)
        var arrivals = try FolderArrivals.movies(in: FilePath(watched)).makeAsyncIterator()
        try Data("x".utf8).write(to: URL(filePath: folder.file("outside")))
        try FileManager.default.moveItem(atPath: folder.file("outside"), toPath: "\(watched)/moved.mov")
        #expect(await arrivals.next()?.lastComponent == "moved.mov")
        // Written in two goes, with something else that is complete in between.
        let slow = try FileDescriptor.open(
            FilePath("\(watched)/slow.mov"), .writeOnly, options: [.create], permissions: .ownerReadWrite)
        try slow.writeAll("half".utf8)
        try Data("x".utf8).write(to: URL(filePath: "\(watched)/notes.txt"))
        try Data("x".utf8).write(to: URL(filePath: "\(watched)/quick 'n' \"odd\"\n%d!.mov"))
        #expect(await arrivals.next()?.lastComponent?.string == "quick 'n' \"odd\"\n%d!.mov")
        try slow.writeAll("whole".utf8)
        try slow.close()
        #expect(await arrivals.next()?.lastComponent == "slow.mov")
    }

    @Test func `folders within are watched too, those that are made later as well`() async throws {
        let manager = FileManager.default
        let watched = FilePath(folder.file("in"))
        func write(_ name: String) throws {
            let place = watched.appending(name).removingLastComponent()
            try manager.createDirectory(atPath: place.string, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(filePath: watched.appending(name).string))
        }
        try write("day 1/a.mov")
        try write("out/made.mov")
        try write(".hidden/x.mov")
        try manager.createSymbolicLink(atPath: watched.appending("day 1/back").string, withDestinationPath: "..")
        var arrivals = try FolderArrivals.movies(
            in: watched, includesSubfolders: true, without: watched.appending("out")
        ).makeAsyncIterator()
        #expect(await arrivals.next() == watched.appending("day 1/a.mov"))
        // A whole tree, made elsewhere and moved in, and one that grows while a file in it is still written.
        try manager.createDirectory(
            atPath: watched.appending("day 2/deep").string, withIntermediateDirectories: true)
        // Never closed between: it would be complete for a moment.
        let slow = try FileDescriptor.open(
            watched.appending("day 2/deep/slow.mov"), .writeOnly, options: [.create], permissions: .ownerReadWrite)
        try slow.writeAll("half".utf8)
        try write("out/made later.mov")
        try manager.createDirectory(atPath: folder.file("card/clips"), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(filePath: folder.file("card/clips/b.mov")))
        try manager.moveItem(atPath: folder.file("card"), toPath: watched.appending("card").string)
        #expect(await arrivals.next() == watched.appending("card/clips/b.mov"))
        try slow.writeAll("all of it".utf8)
        try slow.close()
        #expect(await arrivals.next() == watched.appending("day 2/deep/slow.mov"))
        // A folder that was renamed, and what comes to it then.
        try manager.moveItem(atPath: watched.appending("card").string, toPath: watched.appending("tape").string)
        #expect(await arrivals.next() == watched.appending("tape/clips/b.mov"))
        try write("tape/clips/c.mov")
        #expect(await arrivals.next() == watched.appending("tape/clips/c.mov"))
    }

    @Test func `a folder that goes is told once, and what comes when it is back is taken`() async throws {
        let watched = folder.file("in")
        let manager = FileManager.default
        try manager.createDirectory(atPath: watched, withIntermediateDirectories: false)
        let troubles = AsyncStream.makeStream(of: String?.self)
        var arrivals = try FolderArrivals.movies(in: FilePath(watched), trouble: { troubles.continuation.yield($0) })
            .makeAsyncIterator()
        var told = troubles.stream.makeAsyncIterator()
        try manager.moveItem(atPath: watched, toPath: folder.file("away"))
        let trouble = await told.next()
        #expect(
            trouble??.contains("in cannot be read (No such file or directory)") == true,
            "\(String(describing: trouble))")
        try manager.createDirectory(atPath: watched, withIntermediateDirectories: false)
        #expect(await told.next() == .some(nil))
        try Data("x".utf8).write(to: URL(filePath: "\(watched)/new.mov"))
        #expect(await arrivals.next()?.lastComponent == "new.mov")
    }
}
