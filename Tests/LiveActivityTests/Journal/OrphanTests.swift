import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import LiveActivity

@Suite("What dead processes leave in the journal", .timeLimit(.minutes(10))) struct OrphanTests {
    @Test("It is ended as failed, once, however many look at the same time") func once() async throws {
        let fixture = try JournalFixture()
        for id in ["a", "b", "c"] { try fixture.leave(id, by: .dead) }
        await withTaskGroup { group in
            for _ in 0..<16 {
                group.addTask { try? await Task.detached { _ = try fixture.journal.activities() }.value }
            }
        }
        let ended = try fixture.history()
        #expect(ended.map(\.id).sorted() == ["a", "b", "c"])
        for record in ended {
            #expect(record.last.event == .end && record.last.sequence == 10)
            #expect(record.last.contentState.phase == .failed)
            #expect(record.last.contentState.fraction == 0.5)
            #expect(record.last.dismissalDate != nil)
            #expect(record.attributes.title == "\(record.id).mov")
        }
        #expect(try fixture.folder.liveIdentifiers().isEmpty)
        #expect(try fixture.journal.activities().count == 3)
    }

    @Test("A process is known by more than its number") func identities() async throws {
        #expect(ProcessIdentity.current.isAlive == true)
        #expect(try ProcessIdentity.other(startTime: 1).isAlive == false)
        #expect(try ProcessIdentity.other(boot: "before").isAlive == false)
        #expect(try ProcessIdentity.other(host: "renamed").isAlive == true)
        #expect(try ProcessIdentity.other(startTime: 1, namespace: "a container").isAlive == nil)
        #expect(try ProcessIdentity.elsewhere.isAlive == nil)
        let command = try RunningCommand("cat")
        let identity = ProcessIdentity(pid: command.pid)
        #expect(identity.isAlive == true)
        command.signal(SIGSTOP)
        #expect(identity.isAlive == true)
        command.signal(SIGKILL)
        _ = try await command.result(within: .seconds(120))
        #expect(identity.isAlive == false)
    }

    @Test("A killed process whose parent never asks for it is dead") func zombie() async throws {
        // The shell starts a child that ends, and becomes a program that never waits for it.
        let parent = try RunningCommand("sh", ["-c", "true & echo $!; exec sleep 600"])
        var lines = parent.lines.makeAsyncIterator()
        let line = try #require(await lines.next())
        let child = ProcessIdentity(pid: try #require(Int32(line)))
        while child.isAlive == true { try await Task.sleep(for: .milliseconds(5)) }
        #expect(child.isAlive == false)
        parent.signal(SIGKILL)
    }

    @Test("What another machine writes into a shared home is left to it, for a month") func otherMachine() throws {
        let fixture = try JournalFixture()
        try fixture.leave(by: .elsewhere)
        #expect(try fixture.journal.activities().map(\.last.event) == [.update])
        let later = Date() + 31 * 86400
        #expect(try fixture.folder.sweep(now: later).isEmpty)
        #expect(try fixture.folder.liveIdentifiers().isEmpty)
    }

    @Test("What it was writing when it was killed is taken away, what another one writes now is not") func drafts()
        throws
    {
        let fixture = try JournalFixture()
        try fixture.leave("a", by: .dead)
        let draft = fixture.folder.live.appending(".\(UUID().uuidString).partial")
        try AtomicFile.replace(draft, with: Data("half".utf8))
        #expect(try fixture.folder.sweep().isEmpty && AtomicFile.text(draft) == "half")
        try fixture.leave("b", by: .dead)
        #expect(try fixture.folder.sweep(now: Date() + 61).isEmpty && !draft.isTaken)
    }

    @Test("Who died after saying how it ended has ended so") func ownEnd() throws {
        let fixture = try JournalFixture()
        try fixture.leave(by: .dead, last: .update("dead", phase: .finished))
        #expect(try fixture.journal.activities().map(\.last.contentState.phase) == [.finished])
        #expect(try fixture.history().count == 1)
    }

    @Test("Who died after the history had it ends no second time") func noSecondEnd() throws {
        let fixture = try JournalFixture()
        let record = try fixture.leave(by: .dead)
        let end = try #require(fixture.folder.entry("dead")?.outcome(now: Date()))
        try fixture.folder.history.append([end])
        #expect(record.last.event == .update)
        #expect(try fixture.journal.activities().count == 1)
        #expect(try fixture.history().count == 1)
        #expect(try fixture.folder.liveIdentifiers().isEmpty)
    }

    @Test("A journal that cannot be written still tells how it ended") func readOnly() throws {
        let fixture = try JournalFixture()
        try fixture.leave(by: .dead)
        // A folder in the lock's place fails for root too.
        mkdir(fixture.folder.path.appending("lock").string, 0o700)
        for _ in 0..<2 {
            #expect(try fixture.journal.activities().map(\.last.contentState.phase) == [.failed])
        }
    }

    @Test("Damaged and strange files are passed over, and gone after a day") func damaged() throws {
        let fixture = try JournalFixture()
        try fixture.leave(by: .current)
        for (name, text) in [("torn", "{\"record\":"), ("empty", ""), ("newer", "{\"v\":2}")] {
            try AtomicFile.replace(fixture.folder.file(name), with: Data(text.utf8))
        }
        // A file that names another activity than its own.
        let copy = try AtomicFile.read(fixture.folder.file("dead"))
        try AtomicFile.replace(fixture.folder.file("copy"), with: copy)
        #expect(try fixture.journal.activities().map(\.id) == ["dead"])
        #expect(try fixture.folder.liveIdentifiers().count == 5)
        _ = try fixture.folder.sweep(now: Date() + 90_000)
        #expect(try fixture.folder.liveIdentifiers() == ["dead"])
    }

    @Test("A holder of the lock that was stopped delays a listing, and does not hang it") func stuckLock() async throws
    {
        let fixture = try JournalFixture()
        try fixture.leave(by: .dead)
        let lock = fixture.folder.path.appending("lock").string
        let holder = try RunningCommand("flock", ["--no-fork", lock, "sh", "-c", "echo held; exec sleep 600"])
        var lines = holder.lines.makeAsyncIterator()
        #expect(await lines.next() == "held")
        #expect(try fixture.journal.activities().map(\.last.contentState.phase) == [.failed])
        #expect(try fixture.history().isEmpty)
        holder.signal(SIGKILL)
    }
}
