import Foundation
import SystemPackage
import Threads

/// A process's private socket: whoever is this user follows its activities there and asks things of them.
///
/// One thread serves all, and waits for none of them.
final class ActivityServer: Sendable {
    let path: FilePath
    private let center: ActivityCenter
    private let listener: FileDescriptor
    private let requestTimeout: Duration
    private let wake: WakePipe
    private let events = Mailbox<ActivityEvent>()
    private let inbox = Locked(Inbox())
    private let hasEnded = AsyncSignal()

    private struct Inbox {
        var events: [ActivityEvent] = []
        var isClosed = false
    }

    /// - Parameter requestTimeout: how long a client has to send its request.
    /// - Throws: `Errno` if there can be no socket.
    init(_ center: ActivityCenter, at path: FilePath, requestTimeout: Duration) throws {
        (self.center, self.path, self.requestTimeout) = (center, path, requestTimeout)
        wake = try WakePipe()
        listener = try UnixSocket.listen(at: path)
        center.listen(events)
        let stream = events.stream
        Task {
            for await event in stream {
                inbox.withLock { $0.events.append(event) }
                wake.ring()
            }
            inbox.withLock { $0.isClosed = true }
            wake.ring()
        }
        OwnThread.run("rushes-activity-socket") { self.serve() }
    }

    /// Sends what has happened to those who listen, a second at most, and ends.
    func finish() async {
        events.finish()
        _ = await hasEnded.wait(within: .seconds(2))
    }

    private func serve() {
        let answers = SocketAnswers { [wake] in wake.ring() }
        var loop = ServerLoop(
            center: center, listener: listener, wake: wake.reading, answers: answers, requestTimeout: requestTimeout)
        var end: Date?
        while end.map({ Date() < $0 && loop.hasUnsent }) ?? true {
            loop.wait(within: end == nil ? .seconds(1) : .milliseconds(50))
            wake.drain()
            let (events, isClosed) = inbox.withLock { inbox in
                defer { inbox.events = [] }
                return (inbox.events, inbox.isClosed)
            }
            loop.step(events, now: Date())
            if isClosed, end == nil { end = Date().addingTimeInterval(1) }
        }
        loop.close()
        unlink(path.string)
        hasEnded.fire()
    }
}
