import Foundation
import LiveActivity
import SystemPackage
import Threads

/// The thread that serves the page. Swift's tasks may be as busy as they like, it answers; whatever is asked of it, they go on.
final class PageThread: Sendable {
    private let wake: WakePipe
    private let inbox = Locked(PageLoop.Inbox())
    private let hasEnded = AsyncSignal()
    private let handler: PageHandler

    /// - Parameter listener: is closed in the end.
    /// - Throws: `Errno` or ``ThreadShortage``; then the listener is the caller's.
    init(_ listener: FileDescriptor, _ handler: PageHandler, _ limits: PageLimits) throws {
        self.handler = handler
        wake = try WakePipe()
        let loop = PageLoop(listener: listener, wake: wake, feed: handler.feed, limits: limits)
        guard OwnThread.run("rushes-page", { self.serve(loop) }) else { throw ThreadShortage() }
    }

    /// Ends all connections.
    func close() {
        inbox.withLock { $0.isClosed = true }
        wake.ring()
        handler.transfers.close()
    }

    /// Ends all connections, and waits for that, two seconds at most.
    func finish() async {
        close()
        _ = await hasEnded.wait(within: .seconds(2))
    }

    private func serve(_ begin: PageLoop) {
        // Recordings of this machine go before whoever looks at them.
        setpriority(Int32(PRIO_PROCESS.rawValue), 0, 5)
        var loop = begin
        let ticket = handler.feed.listen { [inbox, wake] in
            inbox.withLock { $0.hasNews = true }
            wake.ring()
        }
        while true {
            let news = inbox.withLock { inbox in
                defer { (inbox.answers, inbox.hasNews) = ([], false) }
                return inbox
            }
            if news.isClosed { break }
            loop.step(
                news, .now, answer: { request, number in answer(request, number) },
                transfer: { handler.transfers.begin($0, on: $1) })
            loop.wait(.now)
        }
        handler.feed.leave(ticket)
        loop.close()
        hasEnded.fire()
    }

    private func answer(_ request: PageRequest, _ number: Int) -> (answer: PageAnswer?, knowsToken: Bool) {
        let (reply, knowsToken) = handler.reply(to: request)
        switch reply {
        case .now(let answer): return (answer, knowsToken)
        case .later(let find):
            Task { [inbox, wake] in
                let answer = await find()
                inbox.withLock { $0.answers.append((number, answer)) }
                wake.ring()
            }
            return (nil, knowsToken)
        }
    }
}
