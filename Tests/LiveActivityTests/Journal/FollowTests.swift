import Errors
import Foundation
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import LiveActivity

@Suite("Following and controlling other processes", .timeLimit(.minutes(10))) struct FollowTests {
    @Test("A follower hears what runs, what comes and each end, in order and once") func follow() async throws {
        let fixture = try JournalFixture()
        let keeper = fixture.journal.keep(fixture.center)
        let early = try fixture.request("early")
        for item in 1...3 { early.update(.running(item)) }
        var received: [ActivityEvent] = []
        var late: Activity?
        for await event in fixture.journal.events() {
            received.append(event)
            if event.id == early.id, event.contentState.completedItems == 3, late == nil {
                late = try fixture.request("late")
            } else if event.id == late?.id, event.event == .start {
                late?.update(.running(1))
            } else if event.id == late?.id, event.event == .update {
                late?.end(.finished)
            } else if event.id == late?.id, event.event == .end {
                early.end(.finished)
            } else if event.event == .end {
                break
            }
        }
        let own = received.filter { $0.id == early.id }
        #expect(own.first?.event == .start && own.first?.attributes?.title == "early" && own.first?.sequence == 1)
        #expect(own.map(\.sequence) == Set(own.map(\.sequence)).sorted())
        #expect(own.last?.event == .end && own.last?.sequence == 5)
        let other = received.filter { $0.id == late?.id }
        #expect(other.map(\.event) == [.start, .update, .end])
        #expect(other.map(\.sequence) == [1, 2, 3])
        await keeper.finish(within: .seconds(60))
    }

    @Test("What ended and is not dismissed is told with its end; what is dismissed is not") func ended() async throws {
        let fixture = try JournalFixture()
        let keeper = fixture.journal.keep(fixture.center)
        try fixture.request("gone").end(.finished, dismissalPolicy: .immediate)
        let shown = try fixture.request("shown")
        shown.end(.finished)
        await keeper.finish(within: .seconds(60))
        var events = fixture.journal.events().makeAsyncIterator()
        #expect(await events.next()?.attributes?.title == "shown")
        let end = await events.next()
        #expect(end?.event == .end && end?.id == shown.id)
    }

    @Test("What a dead process left is told as failed") func orphan() async throws {
        let fixture = try JournalFixture()
        try fixture.leave(by: .current)
        var events = fixture.journal.events().makeAsyncIterator()
        #expect(await events.next()?.event == .start)
        #expect(await events.next()?.sequence == 9)
        try fixture.leave(by: .dead)
        let end = await events.next()
        #expect(end?.event == .end && end?.contentState.phase == .failed && end?.sequence == 10)
    }

    @Test("A process without a socket is followed by its file") func withoutSocket() async throws {
        let fixture = try JournalFixture()
        let elsewhere = try ProcessIdentity.elsewhere
        try fixture.leave(by: elsewhere)
        var events = fixture.journal.events().makeAsyncIterator()
        #expect(await events.next()?.event == .start)
        #expect(await events.next()?.sequence == 9)
        try fixture.leave(by: elsewhere, last: .update("dead", sequence: 30))
        #expect(await events.next()?.sequence == 30)
    }

    @Test("Five hundred followers, and one that never reads, stop nothing") func many() async throws {
        let fixture = try JournalFixture()
        let keeper = fixture.journal.keep(fixture.center)
        let activity = try fixture.request()
        let path = try await socket(of: activity, fixture)
        let followers = try (0..<500).map { _ in
            let file = try UnixSocket.connect(to: path)
            #expect(SocketClient.send(SocketRequest(follow: true), to: file))
            return file
        }
        defer { for file in followers { try? file.close() } }
        // More than any socket's buffer takes.
        let words = String(repeating: "x", count: 2000)
        for item in 1...2000 { activity.update(.running(item, message: words)) }
        // The five hundred and first is heard, though none of the others reads.
        for await event in fixture.journal.events() where event.contentState.completedItems == 2000 { break }
        activity.end(.finished)
        let all = try read(followers[0])
        #expect(all.first?.event == .start && all.last?.event == .end)
        #expect(all.count < 1500)
        await keeper.finish(within: .seconds(60))
        #expect(try fixture.history().map(\.id) == [activity.id])
    }

    @Test("Rude ones are answered or turned away, and the next is served") func rude() async throws {
        let fixture = try JournalFixture()
        let keeper = fixture.journal.keep(fixture.center)
        let activity = try fixture.request()
        let path = try await socket(of: activity, fixture)
        let silent = try UnixSocket.connect(to: path)
        for bytes in ["nonsense\n", "{}\n", String(repeating: "x", count: 10_000), "\u{0}\n", "{\"follow\":1}\n"] {
            let file = try UnixSocket.connect(to: path)
            _ = StreamSocket.send(bytes.utf8, to: file)
            try file.close()
        }
        let unknown = SocketClient.ask(SocketRequest(control: "dance", id: activity.id), at: path, within: .seconds(60))
        #expect(unknown?.error == "This request is not known here.")
        let refused = SocketClient.ask(SocketRequest(control: "stop", id: activity.id), at: path, within: .seconds(60))
        #expect(refused?.error == "take.mov accepts no requests.")
        try silent.close()
        await keeper.finish(within: .seconds(60))
    }

    @Test("What has begun and is not written down yet is waited for") func newcomer() async throws {
        let fixture = try JournalFixture()
        let activity = try fixture.request()
        activity.accept([.stop]) { _, _ in }
        async let answer = fixture.journal.control(activity.id, .stop)
        let keeper = fixture.journal.keep(fixture.center)
        #expect(try await answer == nil)
        activity.end(.finished)
        await keeper.finish(within: .seconds(60))
    }

    @Test("A request reaches its activity; what cannot be is said in a sentence") func control() async throws {
        let fixture = try JournalFixture()
        let keeper = fixture.journal.keep(fixture.center)
        let activity = try fixture.request()
        let (asked, continuation) = AsyncStream.makeStream(of: (ActivityControl, String?).self)
        activity.accept([.stop, .mark]) { continuation.yield(($0, $1)) }
        _ = try await socket(of: activity, fixture)
        let longest = String(repeating: "é", count: ActivityControl.longestText / 2)
        try await fixture.journal.control(activity.id, .stop)
        try await fixture.journal.control(activity.id, .mark, text: longest)
        var requests = asked.makeAsyncIterator()
        #expect(await requests.next()! == (.stop, nil))
        #expect(await requests.next()! == (.mark, longest))
        // What is answered comes back, and nobody else waits for it.
        activity.accept([.stop, .mark, .set]) { continuation.yield(($0, $1)) }
        let isSlow = AsyncSignal()
        activity.answer(.set) { text in
            guard let text else { throw RushesError(.controlRefused, "Say what.") }
            _ = await isSlow.wait(within: .seconds(60))
            return "Took \(text)."
        }
        async let answer = fixture.journal.control(activity.id, .set, text: "gain=3")
        #expect(try await fixture.journal.control(activity.id, .stop) == nil)
        isSlow.fire()
        #expect(try await answer == "Took gain=3.")
        await expect("Say what.") { try await fixture.journal.control(activity.id, .set) }
        await expect("A text can have at most 1024 bytes; give a shorter one.") {
            try await fixture.journal.control(activity.id, .mark, text: longest + "!")
        }
        await expect("take.mov cannot be asked to cancel; it accepts stop, mark and set.") {
            try await fixture.journal.control(activity.id, .cancel)
        }
        for id in ["nobody", "../history", ""] {
            await expect("There is no activity '\(id)'; ActivityJournal lists them.") {
                try await fixture.journal.control(id, .stop)
            }
        }
        activity.end(.finished)
        await keeper.finish(within: .seconds(60))
        await expect("take.mov has already ended.") { try await fixture.journal.control(activity.id, .stop) }
        try fixture.leave(by: .current)
        await expect(
            "Process \(getpid()), which is working on dead.mov, does not respond; it may be stopped: kill -CONT \(getpid()) resumes it."
        ) { try await fixture.journal.control("dead", .stop) }
    }

    @Test("A follower hears everything once, whichever way it comes") func ledger() {
        func event(_ event: ActivityEvent.Event, _ sequence: Int) -> ActivityEvent {
            ActivityEvent(
                sequence: sequence, id: "a", event: event, kind: .batch, timestamp: Date(),
                attributes: ActivityAttributes(title: "a"), contentState: ContentState())
        }
        var ledger = FollowLedger()
        func hear(_ kind: ActivityEvent.Event, _ sequence: Int) -> Int? {
            ledger.admit(event(kind, sequence))?.sequence
        }
        #expect(hear(.update, 3) == nil)
        #expect(hear(.start, 1) == 1)
        #expect(hear(.start, 1) == nil)
        #expect(hear(.update, 5) == 5)
        #expect(hear(.update, 4) == nil)
        #expect(hear(.update, 5) == nil)
        // The journal was written before the latest updates were heard.
        #expect(hear(.end, 3) == 6)
        #expect(hear(.end, 9) == nil)
        #expect(hear(.update, 9) == nil)
    }

    /// Waits until the activity is in the journal.
    private func socket(of activity: Activity, _ fixture: JournalFixture) async throws -> FilePath {
        for await event in fixture.journal.events() where event.id == activity.id { break }
        return FilePath(try #require(fixture.folder.entry(activity.id)?.socket))
    }

    /// All events up to an end, of a socket that was not read until now.
    private func read(_ file: FileDescriptor) throws -> [ActivityEvent] {
        var lines = Lines(limit: 1 << 20)
        var events: [ActivityEvent] = []
        while events.last?.event != .end {
            var polled = pollfd(fd: file.rawValue, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 300_000) > 0, let bytes = StreamSocket.receive(from: file) else { break }
            for line in lines.add(bytes) ?? [] { events.append(try ActivityEvent(line: Data(line))) }
        }
        return events
    }

    private func expect(
        _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        } catch { #expect("\(error)" == sentence, sourceLocation: sourceLocation) }
    }
}
