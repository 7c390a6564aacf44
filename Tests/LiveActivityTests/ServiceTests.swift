import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import LiveActivity

@Suite("What systemd is told", .timeLimit(.minutes(10))) struct ServiceTests {
    @Test("The watchdog is fed while work advances, and while it waits for somebody") func watchdog() {
        var notifier = ServiceNotifier()
        func feeds(_ state: ContentState) -> Bool {
            notifier.message(for: event(.update, state)).contains("WATCHDOG=1")
        }
        #expect(feeds(recording(after: 1)))
        #expect(feeds(recording(after: 2)))
        #expect(!feeds(recording(after: 2)))
        #expect(!feeds(recording(after: 2) { $0.elapsed = 9 }))
        #expect(feeds(recording(after: 2) { $0.bytesWritten = 49_000_000 }))
        #expect(feeds(recording(after: 2) { $0.phase = .paused }))
        #expect(feeds(recording(after: 2) { $0.phase = .paused }))
        #expect(feeds(recording(after: 2) { $0.phase = .finishing }))
        #expect(!feeds(recording(after: 2) { $0.phase = .finishing }))
    }

    @Test func `between the shots of a timelapse it is alive, and what waits for hours is fed by the clock`() {
        var notifier = ServiceNotifier()
        func feeds(_ kind: ActivityKind, _ phase: ContentState.Phase) -> Bool {
            var event = event(.update, recording(after: 2) { $0.phase = phase })
            event = ActivityEvent(
                sequence: event.sequence, id: "\(kind)", event: .update, kind: kind, timestamp: event.timestamp,
                contentState: event.contentState)
            return notifier.message(for: event).contains("WATCHDOG=1")
        }
        _ = feeds(.timelapse, .running)
        #expect(feeds(.timelapse, .running) && !notifier.isWaiting)
        _ = feeds(.recording, .running)
        #expect(!feeds(.recording, .running))
        _ = feeds(.timelapse, .waiting)
        #expect(notifier.isWaiting)
        _ = feeds(.timelapse, .finishing)
        #expect(!notifier.isWaiting)
    }

    @Test("It is ready once, goes on behind an end, and its status stays one line") func fields() {
        var notifier = ServiceNotifier()
        #expect(
            notifier.message(for: event(.start))
                == "READY=1\nSTATUS=recording running, 1:23, 48.2 MB, -18 dB\nWATCHDOG=1")
        let end = notifier.message(
            for: event(.end, recording { ($0.phase, $0.message) = (.failed, "no\nWATCHDOG_USEC=0") }))
        #expect(
            end.split(separator: "\n") == [
                "STATUS=recording failed, 1:23, 48.2 MB, no WATCHDOG_USEC=0", "WATCHDOG=1",
            ])
        // The next one that waits for its trigger, in the same process.
        #expect(!notifier.message(for: event(.start)).contains("READY"))
    }

    @Test("Datagrams reach a socket by its path and by an abstract name", arguments: [false, true])
    func datagrams(isAbstract: Bool) async throws {
        let folder = try TemporaryFolder()
        let name = isAbstract ? "@rushes-test-\(UUID().uuidString)" : folder.file("notify")
        // Python's own sockets are the judge.
        let listener = try RunningCommand(
            "python3",
            [
                "-c",
                """
                import socket, sys
                name = sys.argv[1]
                s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                s.bind("\\0" + name[1:] if name[0] == "@" else name)
                print("ready", flush=True)
                print(s.recv(4096).decode(), flush=True)
                """, name,
            ])
        var lines = listener.lines.makeAsyncIterator()
        #expect(await lines.next() == "ready")
        let reporter = try #require(ActivityReporter.service(environment: ["NOTIFY_SOCKET": name]))
        reporter.show(event(.start))
        #expect(await lines.next() == "READY=1")
        #expect(await lines.next()?.hasPrefix("STATUS=recording running") == true)
        listener.signal(SIGKILL)
    }

    @Test func `a watchdog is fed while nothing happens but waiting`() async throws {
        let name = "@rushes-test-\(UUID().uuidString)"
        let listener = try RunningCommand(
            "python3",
            [
                "-c",
                """
                import socket, sys
                s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                s.bind("\\0" + sys.argv[1][1:])
                print("ready", flush=True)
                while True: print(repr(s.recv(4096).decode()), flush=True)
                """, name,
            ])
        var lines = listener.lines.makeAsyncIterator()
        #expect(await lines.next() == "ready")
        let reporter = try #require(
            ActivityReporter.service(environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "100000"]))
        reporter.show(event(.start, recording { $0.phase = .waiting }))
        #expect(await lines.next()?.contains("READY=1") == true)
        for _ in 0..<3 { #expect(await lines.next() == "'WATCHDOG=1'") }
        listener.signal(SIGKILL)
        withExtendedLifetime(reporter) {}
    }

    @Test("Without a service manager nobody is told; one that has gone disturbs nothing") func nobody() throws {
        #expect(ActivityReporter.service(environment: [:]) == nil)
        #expect(ActivityReporter.service(environment: ["NOTIFY_SOCKET": "vsock:2:1"]) == nil)
        let gone = try #require(ActivityReporter.service(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"]))
        gone.show(event(.start))
    }
}
