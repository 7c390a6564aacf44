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

    @Test("It is ready with the start and stopping with the end, and its status stays one line") func fields() {
        var notifier = ServiceNotifier()
        #expect(
            notifier.message(for: event(.start))
                == "READY=1\nSTATUS=recording running, 1:23, 48.2 MB, -18 dB\nWATCHDOG=1")
        let end = notifier.message(
            for: event(.end, recording { ($0.phase, $0.message) = (.failed, "no\nWATCHDOG_USEC=0") }))
        #expect(
            end.split(separator: "\n") == [
                "STOPPING=1", "STATUS=recording failed, 1:23, 48.2 MB, no WATCHDOG_USEC=0", "WATCHDOG=1",
            ])
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

    @Test("Without a service manager nobody is told; one that has gone disturbs nothing") func nobody() throws {
        #expect(ActivityReporter.service(environment: [:]) == nil)
        #expect(ActivityReporter.service(environment: ["NOTIFY_SOCKET": "vsock:2:1"]) == nil)
        let gone = try #require(ActivityReporter.service(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"]))
        gone.show(event(.start))
    }
}
