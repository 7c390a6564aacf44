import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import LiveActivity

@Suite("The journal of a process", .timeLimit(.minutes(25))) struct KeeperTests {
    @Test("What lives is listed, and then its end, in files for this user alone") func listing() async throws {
        let fixture = try JournalFixture()
        let keeper = fixture.journal.keep(fixture.center)
        let activity = try fixture.request()
        activity.accept([.stop]) { _, _ in }
        for await event in fixture.journal.events() where event.event == .start { break }
        activity.update(.running(7))
        activity.update(
            ActivityContent(state: ContentState(phase: .paused, fraction: 0.5), staleDate: Date() + 3600))
        for await event in fixture.journal.events() where event.contentState.phase == .paused { break }
        // The phase changed, so it is in the file as soon as it is told, or a moment later.
        while try fixture.journal.activities().first?.last.contentState.phase != .paused {
            try await Task.sleep(for: .milliseconds(5))
        }
        let live = try #require(try fixture.journal.activities().first)
        #expect(live.id == activity.id && live.controls == [.stop] && live.state() == .active)
        #expect(live.attributes == activity.attributes)
        #expect(try fixture.mode(fixture.folder.path) == 0o700)
        #expect(try fixture.mode(fixture.folder.live) == 0o700)
        #expect(try fixture.mode(fixture.folder.file(activity.id)) == 0o600)
        let socket = try #require(fixture.folder.entry(activity.id)?.socket)
        #expect(try fixture.mode(FilePath(socket)) == 0o600)

        activity.end(.finished)
        await keeper.finish(within: .seconds(60))
        #expect(try fixture.journal.activities().map(\.last.contentState.phase) == [.finished])
        #expect(try fixture.mode(fixture.folder.history.path) == 0o600)
        #expect(try fixture.folder.liveIdentifiers().isEmpty)
        // Its server ends on a thread of its own.
        while access(socket, F_OK) == 0 { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("A folder is made for this user alone, and those above it that were there stay as they were")
    func ancestors() throws {
        let fixture = try JournalFixture()
        let top = fixture.folder.path.removingLastComponent().appending("top-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: top.string) }
        #expect(mkdir(top.string, 0o755) == 0)
        try PrivateFolder.create(top.appending("a").appending("b"))
        #expect(try fixture.mode(top) == 0o755)
        #expect(try fixture.mode(top.appending("a")) == 0o700)
        #expect(try fixture.mode(top.appending("a").appending("b")) == 0o700)
        #expect(mkdir(top.appending("wide").string, 0o755) == 0)
        try PrivateFolder.create(top.appending("wide"))
        #expect(try fixture.mode(top.appending("wide")) == 0o700)
    }

    @Test("Another user's folder, and a link that another user made, are not used", .enabled(if: geteuid() == 0))
    func foreign() async throws {
        let fixture = try JournalFixture()
        let top = fixture.folder.path.removingLastComponent().appending("top-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: top.string) }
        for name in ["", "theirs", "wide", "own"] { #expect(mkdir(top.appending(name).string, 0o777) == 0) }
        #expect(chmod(top.appending("wide").string, 0o777) == 0)
        #expect(symlink(top.appending("wide").string, top.appending("link").string) == 0)
        #expect(symlink(top.appending("own").string, top.appending("mine").string) == 0)
        for name in ["theirs", "link"] { #expect(lchown(top.appending(name).string, 65534, 65534) == 0) }
        for name in ["theirs", "link"] {
            #expect(throws: Errno.notPermitted) { try PrivateFolder.create(top.appending(name)) }
            let journal = ActivityJournal(directory: top.appending(name))
            let center = ActivityCenter()
            let keeper = journal.keep(center)
            let activity = try Activity.request(
                kind: .recording, attributes: ActivityAttributes(title: "take"), content: .running(0), in: center)
            activity.end(.finished)
            await keeper.finish(within: .seconds(60))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: top.appending("theirs").string) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: top.appending("wide").string) == [])
        // As it was: nothing behind another's link is changed.
        #expect(try fixture.mode(top.appending("wide")) == 0o777)
        try PrivateFolder.create(top.appending("mine"))
        #expect(try fixture.mode(top.appending("own")) == 0o700)
    }

    @Test("Only a dead process's own socket is taken away, whatever its file names") func planted() throws {
        let fixture = try JournalFixture()
        try fixture.folder.create()
        let dead = ProcessIdentity(pid: .max)
        let letter = fixture.folder.path.appending("letter")
        let named = fixture.folder.path.appending("\(dead.pid)-\(dead.startTime)-7.socket")
        for (number, path) in [letter, named].enumerated() {
            try AtomicFile.replace(path, with: Data("mine".utf8))
            let last = ActivityEvent.update("dead\(number)")
            let record = ActivityRecord(
                attributes: ActivityAttributes(title: "take.mov"), last: last, startDate: last.timestamp - 60)
            try AtomicFile.replace(
                fixture.folder.file("dead\(number)"),
                with: LiveEntry(record: record, process: dead, socket: path.string).data)
        }
        #expect(try fixture.journal.activities().count == 2)
        #expect(AtomicFile.text(letter) == "mine" && AtomicFile.text(named) == "mine")
    }

    @Test("Many processes at once write whole lines, one for each end") func many() async throws {
        let fixture = try JournalFixture()
        try await withThrowingTaskGroup { group in
            for process in 0..<6 {
                group.addTask {
                    let center = ActivityCenter()
                    let keeper = fixture.journal.keep(center)
                    for item in 0..<12 {
                        let activity = try Activity.request(
                            kind: .transcode, attributes: ActivityAttributes(title: "\(process)-\(item)"),
                            content: .running(0), in: center)
                        activity.update(.running(1))
                        activity.end(.finished)
                        _ = try? fixture.journal.activities()
                    }
                    // However busy the machine is: what is not written by then is nowhere.
                    await keeper.finish(within: .seconds(500))
                }
            }
            try await group.waitForAll()
        }
        // One that did not get the lock in time leaves its end to whoever looks next.
        _ = try fixture.journal.activities()
        let titles = try fixture.history().map(\.attributes.title)
        #expect(titles.count == 72 && Set(titles).count == 72, "\(titles.sorted())")
        #expect(try fixture.history().allSatisfy { $0.last.contentState.phase == .finished })
    }

    @Test("A journal that cannot be made disturbs nothing") func noHome() async throws {
        let journal = ActivityJournal(directory: "/proc/nowhere/rushes/activities")
        let center = ActivityCenter()
        let keeper = journal.keep(center)
        let activity = try Activity.request(
            kind: .recording, attributes: ActivityAttributes(title: "take"), content: .running(0), in: center)
        let events = activity.events
        for item in 1...100 { activity.update(.running(item)) }
        activity.end(.finished)
        await keeper.finish(within: .seconds(60))
        #expect(await events.reduce(into: []) { $0.append($1.event) }.last == .end)
        #expect(try journal.activities().isEmpty)
    }

    @Test(
        "The journal is where the XDG base directory specification has it",
        arguments: [
            (["HOME": "/home/a"], "/home/a/.local/state/rushes/activities"),
            (["HOME": "/home/a", "XDG_STATE_HOME": "/state"], "/state/rushes/activities"),
            (["HOME": "/home/a", "XDG_STATE_HOME": ""], "/home/a/.local/state/rushes/activities"),
            (["HOME": "/home/a", "XDG_STATE_HOME": "state"], "/home/a/.local/state/rushes/activities"),
        ] as [([String: String], FilePath)])
    func place(environment: [String: String], expected: FilePath) {
        #expect(ActivityJournal.standardDirectory(in: environment) == expected)
        #expect(ActivityJournal.standardDirectory(in: [:]).isAbsolute)
        #expect(ActivityJournal(directory: "here").folder.path.isAbsolute)
    }

    @Test("A folder whose path is longer than a socket's address may be") func longPath() async throws {
        let fixture = try JournalFixture(under: String(repeating: "long/", count: 40) + "activities")
        let path = fixture.folder.path.appending("sockets")
        try PrivateFolder.create(path)
        let server = try ActivityServer(
            fixture.center, at: path.appending("1-2-3.socket"), requestTimeout: .seconds(120))
        let reply = SocketClient.ask(
            SocketRequest(control: "stop", id: "x"), at: server.path, within: .seconds(60))
        #expect(reply?.error?.contains("no activity 'x'") == true)
        await server.finish()
    }

    @Test(
        "The socket is in the runtime folder, without those of dead processes; beside the journal where there is none")
    func sockets() async throws {
        let fixture = try JournalFixture()
        let runtime = fixture.folder.path.appending("run")
        try PrivateFolder.create(runtime.appending("rushes"))
        let (this, other) = (ProcessIdentity.current, runtime.appending("rushes"))
        let names = ["\(this.pid)-1-7.socket", "\(this.pid)-\(this.startTime)-7.socket", "7.socket", "notes"]
        for name in names { try AtomicFile.replace(other.appending(name), with: Data()) }
        let center = ActivityCenter()
        func serve(_ runtime: FilePath?, beside folder: FilePath? = nil) -> ActivityServer? {
            SocketFolder.serve(
                center, beside: folder ?? fixture.folder.path, requestTimeout: .seconds(120), runtime: runtime)
        }
        let server = try #require(serve(runtime))
        #expect(server.path.removingLastComponent() == other)
        #expect(names.map { access(other.appending($0).string, F_OK) == 0 } == [false, true, true, true])
        await server.finish()
        for nowhere in [nil, "relative", "/proc/nowhere"] as [FilePath?] {
            let server = try #require(serve(nowhere))
            #expect(server.path.removingLastComponent() == fixture.folder.path.appending("sockets"))
            await server.finish()
        }
        #expect(serve(nil, beside: "/proc/nowhere") == nil)
    }

    @Test(
        "The file is written with a change of phase or of requests, every 0.4 seconds, and before it would be out of date",
        arguments: [
            (0.3, ContentState.Phase.running, false, 60.0, false), (0.5, .running, false, 60, true),
            (0.1, .paused, false, 60, true), (0.1, .running, true, 60, true), (0.2, .running, false, 0.5, false),
            (0.3, .running, false, 0.5, true), (0, .running, false, 60, true), (-5, .running, false, 60, true),
        ] as [(Double, ContentState.Phase, Bool, Double, Bool)])
    func schedule(age: Double, phase: ContentState.Phase, takesStop: Bool, staleIn: Double, isDue: Bool) {
        let begin = Date(timeIntervalSince1970: 1_789_000_000)
        func event(_ time: Date, _ phase: ContentState.Phase) -> ActivityEvent {
            ActivityEvent(
                sequence: 1, id: "a", event: .update, kind: .recording, timestamp: time,
                contentState: ContentState(phase: phase), staleDate: time + staleIn)
        }
        var schedule = WriteSchedule()
        #expect(schedule.isDue(event(begin, .running), controls: []))
        schedule.wrote(
            ActivityRecord(
                attributes: ActivityAttributes(title: "a"), last: event(begin, .running), startDate: begin))
        #expect(schedule.isDue(event(begin + age, phase), controls: takesStop ? [.stop] : []) == isDue)
    }
}
