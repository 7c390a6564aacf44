import DesktopBus
import Foundation
import LiveActivity
import TestSupport
import Testing
import Threads

@testable import DesktopActivity

/// Activities on a real bus, with a real notification daemon.
@Suite(.timeLimit(.minutes(10)), .requiresDesktop) struct DesktopTests {
    /// Tells it again and again, as an export does, until it is seen: on a busy machine one of them expires before anybody looks.
    private func progress(
        of work: Work, isSeenBy desktop: Desktop, _ presenter: NotificationPresenter,
        _ change: (inout ContentState) -> Void = { _ in }
    ) async throws {
        var second = 2.0
        repeat {
            presenter.show(work.event(at: second, done: 94, change))
            second += 1
        } while try await desktop.shownNotifications() == 0
    }

    @Test func `dunst shows the bar, then the end, whose click opens the movie`() async throws {
        let desktop = try await Desktop()
        let opened = Locked<[String]>([])
        let presenter = NotificationPresenter(BusConnection(desktop.bus)) { path in opened.withLock { $0.append(path) }
        }
        let work = Work()
        let frame = try await Self.frame(second: 5)
        presenter.show(work.event(.start))
        try await progress(of: work, isSeenBy: desktop, presenter) { $0.thumbnail = frame.path }
        // dunst draws its bar in two colours of its own; the frame is kept for people.
        let path = try await desktop.screenshot("dunst-progress")
        #expect(try await Self.differingPixels(path) > 5000)
        let history = try await desktop.tool("dunstctl", "count", "waiting")
        #expect(history.trimmingCharacters(in: .whitespacesAndNewlines) == "0")

        presenter.show(work.event(.end, at: 9, .finished) { $0.output = "/home/me/holiday.mp4" })
        _ = try await desktop.screenshot("dunst-end")
        // What is clicked may still be the bar, which opens nothing.
        while opened.withLock({ $0.isEmpty }) {
            #expect(try await desktop.shownNotifications() <= 1)
            _ = try await desktop.tool("dunstctl", "action", "0")
        }
        #expect(opened.withLock { Set($0) } == ["/home/me/holiday.mp4"])
        try await desktop.servers.stop()
    }

    @Test func `a notice that was handed over takes the place of the bar, and opens the movie from there`() async throws
    {
        let desktop = try await Desktop()
        let handed = AsyncStream.makeStream(of: LastNotice.self)
        let presenter = NotificationPresenter(
            BusConnection(desktop.bus), open: { _ in Issue.record("it was handed over") },
            handOver: { notice in
                handed.continuation.yield(notice)
                return true
            })
        let work = Work()
        presenter.show(work.event(.start))
        try await progress(of: work, isSeenBy: desktop, presenter)
        presenter.show(work.event(.end, at: 9, .finished) { $0.output = "/home/me/holiday.mp4" })
        let opened = Locked<[String]>([])
        for await notice in handed.stream {
            // As it goes to the other process.
            let copy = try JSONDecoder().decode(LastNotice.self, from: JSONEncoder().encode(notice))
            #expect(copy == notice)
            let showing = Task { await copy.show(on: desktop.bus) { path in opened.withLock { $0.append(path) } } }
            // Before it is shown there is nothing to click.
            while opened.withLock({ $0.isEmpty }) { _ = try await desktop.tool("dunstctl", "action", "0") }
            await showing.value
            break
        }
        #expect(opened.withLock { Set($0) } == ["/home/me/holiday.mp4"])
        #expect(try await desktop.shownNotifications() == 0)
        try await desktop.servers.stop()
    }

    @Test func `what a notification says in angle brackets is text, and its value a number`() async throws {
        let desktop = try await Desktop()
        let monitor = try RunningCommand(
            "dbus-monitor", ["--session", "interface='org.freedesktop.Notifications',member='Notify'"],
            environment: desktop.servers.environment)
        // It tells of its own first; a call before that it does not hear.
        for await line in monitor.lines where line.contains("NameAcquired") || line.contains("NameLost") { break }
        let presenter = NotificationPresenter(BusConnection(desktop.bus)) { _ in }
        let work = Work(title: "A & B")
        presenter.show(work.event(.start))
        presenter.show(work.event(at: 2, done: 84) { $0.subtitle = "<b>a & b" })
        var said = ""
        for await line in monitor.lines {
            said += line.trimmingCharacters(in: .whitespaces) + "\n"
            if line.contains("int32 15000") { break }
        }
        #expect(said.contains("string \"A & B\""))
        #expect(said.contains("&lt;b&gt;a &amp; b · 42%"))
        #expect(said.contains("string \"value\"\nvariant                      int32 42") || said.contains("int32 42"))
        monitor.signal(SIGTERM)
        try await desktop.servers.stop()
    }

    @Test func `KDE's tracker hears all in order, and its buttons reach the work`() async throws {
        let desktop = try await Desktop()
        let wishes = AsyncStream.makeStream(of: String.self)
        let presenter = JobViewPresenter(
            BusConnection(desktop.bus), offers: { _ in [.pause, .resume, .cancel] },
            control: { wishes.continuation.yield("\($1.rawValue) \($0)") })
        let work = Work()
        presenter.show(work.event(.start, done: 0))
        _ = try await desktop.received { $0.contains("\"update\"") }
        var asked = wishes.stream.makeAsyncIterator()
        for (button, wish) in [("suspend", "pause one"), ("resume", "resume one"), ("cancel", "cancel one")] {
            desktop.stub.write("\(button)\n")
            #expect(await asked.next() == wish)
        }
        presenter.show(work.event(done: 47))
        presenter.show(work.event(.end, .cancelled, done: 47))
        let received = try await desktop.received { $0.contains("terminate") }
        #expect(received.count == 3)
        #expect(received.first?.contains(#""percent": 23"#) == true)
        #expect(received.last == #"["terminate", 1, "", {}]"#)
        try await desktop.servers.stop()
    }

    @Test func `the tracker is asked with the name and what the work takes`() async throws {
        let desktop = try await Desktop()
        let presenter = JobViewPresenter(BusConnection(desktop.bus), offers: { _ in [.stop] }, control: { _, _ in })
        presenter.show(Work().event(.start))
        let received = try await desktop.received { $0.contains("update") }
        #expect(received.first == #"["requestView", "rushes", 1, {}]"#)
        try await desktop.servers.stop()
    }

    @Test func `the dock hears progress, and who asks later is told`() async throws {
        let desktop = try await Desktop()
        let presenter = LauncherPresenter(BusConnection(desktop.bus))
        let work = Work()
        presenter.show(work.event(.start, done: 0))
        presenter.show(work.event(at: 2, done: 50))
        let received = try await desktop.received { $0.contains("0.25") }
        #expect(received.allSatisfy { $0.hasPrefix(#"["Update", "application://rushes.desktop", {"#) })
        #expect(received.last?.contains(#""progress-visible": true"#) == true)
        presenter.show(work.event(.end, .finished))
        _ = try await desktop.received { $0.contains(#""progress-visible": false"#) }
        try await desktop.servers.stop()
    }

    @Test func `logind's lock is taken with the first work and given back with the last`() async throws {
        let desktop = try await Desktop()
        let presenter = AwakePresenter(BusConnection(desktop.bus))
        let work = Work()
        presenter.show(work.event(.start))
        let taken = try await desktop.received { $0.contains("Inhibit") }
        #expect(taken == [#"["Inhibit", "sleep:idle", "Rushes", "Exporting: Holiday", "block"]"#])
        presenter.show(work.event(.update, .paused))
        #expect(try await desktop.received { _ in true } == [#"["released"]"#])
        presenter.show(work.event(.update, .running))
        _ = try await desktop.received { $0.contains("Inhibit") }
        presenter.show(work.event(.end, .finished))
        #expect(try await desktop.received { _ in true } == [#"["released"]"#])
        try await desktop.servers.stop()
    }

    @Test func `a bus that dies midway keeps nobody waiting`() async throws {
        let desktop = try await Desktop()
        let reporter = DesktopActivity.reporter(
            session: desktop.bus, system: desktop.bus, offers: { _ in [] }, control: { _, _ in })
        let work = Work()
        reporter.show(work.event(.start, done: 0))
        reporter.show(work.event(at: 2, done: 20))
        _ = try await desktop.received { $0.contains("Inhibit") }
        kill(try #require(desktop.servers.pid("DBUS_PID")), SIGKILL)
        let events =
            (21..<200).map { work.event(at: Double($0), done: $0) } + [work.event(.end, at: 200, .finished)]
        #expect(await Self.areShown(events, by: reporter))
    }

    @Test func `without a bus nothing is shown and nobody waits`() async {
        let nowhere = BusAddress.at("unix:path=/nonexistent/bus")
        let reporter = DesktopActivity.reporter(
            session: nowhere, system: nowhere, offers: { _ in [] }, control: { _, _ in })
        let work = Work()
        let events =
            [work.event(.start)] + (1...100).map { work.event(at: Double($0), done: $0) }
            + [work.event(.end, at: 101, .finished)]
        #expect(await Self.areShown(events, by: reporter))
    }

    /// Whether somebody who shows them all comes to the end; each question that nobody answered would take him 25 seconds, and there are many.
    private static func areShown(_ events: [ActivityEvent], by reporter: ActivityReporter) async -> Bool {
        let isOver = AsyncSignal()
        OwnThread.run("shows") {
            for event in events { reporter.show(event) }
            isOver.fire()
        }
        return await isOver.wait(within: .seconds(60))
    }

    /// A frame of the clip as a file.
    private static func frame(second: Int) async throws -> (path: String, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let path = folder.file("image.jpg")
        let arguments = [
            "-v", "error", "-ss", "\(second)", "-i", Checkout.clip, "-frames:v", "1", "-s", "160x90", path,
        ]
        _ = try await Tool.succeed("ffmpeg", arguments)
        return (path, folder)
    }

    /// How much of the empty root window is covered.
    private static func differingPixels(_ path: String) async throws -> Int {
        let mean = try await Tool.succeed(
            "convert", [path, "-fill", "white", "+opaque", "black", "-format", "%[fx:w*h*mean]", "info:"])
        return Int(Double(mean.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0)
    }
}
