import Foundation
import LiveActivity
import SystemPackage
import Threads

/// What the page's thread does, again and again: wait, take in, hand out. It waits for nobody and blocks on nothing but poll.
struct PageLoop {
    /// What came from elsewhere since the last turn.
    struct Inbox {
        var answers: [(number: Int, answer: PageAnswer)] = []
        /// Whether the feed has news.
        var hasNews = false
        var isClosed = false
    }

    private let listener: FileDescriptor
    private let wake: WakePipe
    private let feed: ActivityFeed
    private let limits: PageLimits
    private var connections: [PageConnection] = []
    private var nextNumber = 0
    /// When the next may come in, where no more files could be opened.
    private var opens: ContinuousClock.Instant?

    /// So many come in at a turn: those who are here already get theirs in between.
    private static let mostArrivals = 64

    init(listener: FileDescriptor, wake: WakePipe, feed: ActivityFeed, limits: PageLimits) {
        (self.listener, self.wake, self.feed, self.limits) = (listener, wake, feed, limits)
    }

    /// Waits until something can be done, a second at most.
    mutating func wait(_ now: ContinuousClock.Instant) {
        let next = connections.reduce(now + .seconds(1)) { min($0, $1.nextLook) }
        var polled =
            [pollfd(fd: wake.reading.rawValue, events: Int16(POLLIN), revents: 0)]
            // A negative number is passed over.
            + [pollfd(fd: isOpen(now) ? listener.rawValue : -1, events: Int16(POLLIN), revents: 0)]
            + connections.map { pollfd(fd: $0.file.rawValue, events: $0.interest, revents: 0) }
        guard poll(&polled, nfds_t(polled.count), (next - now).pollMilliseconds) > 0 else { return }
        wake.drain()
        for index in connections.indices {
            let events = polled[index + 2].revents
            if events & Int16(POLLIN) != 0 { connections[index].isReadable = true }
            if events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0, events & Int16(POLLIN) == 0 {
                connections[index].end()
            }
        }
    }

    /// One turn.
    ///
    /// - Parameters:
    ///   - answer: begins to answer a request; `nil` where the answer comes later.
    ///   - transfer: sends a file on a socket, which it closes.
    mutating func step(
        _ inbox: Inbox, _ now: ContinuousClock.Instant,
        answer: (PageRequest, _ number: Int) -> (answer: PageAnswer?, knowsToken: Bool),
        transfer: (Transfer, FileDescriptor) -> Void
    ) {
        if isOpen(now) { acceptAll(now) }
        for (number, answer) in inbox.answers {
            guard let index = connections.firstIndex(where: { $0.number == number }) else { continue }
            if case .waiting = connections[index].phase { connections[index].put(answer, now) }
        }
        for index in connections.indices {
            if inbox.hasNews { connections[index].mayHaveNews = true }
            var demand = connections[index].receive(now)
            // Requests may lie one behind the other; each is answered before the next is looked at.
            repeat {
                if case .answer(let request) = demand {
                    let found = answer(request, connections[index].number)
                    connections[index].knowsToken = connections[index].knowsToken || found.knowsToken
                    if let answer = found.answer { connections[index].put(answer, now) }
                }
                demand = connections[index].send(now)
            } while demand.map { if case .answer = $0 { true } else { false } } ?? false
            if case .transfer(let file) = demand {
                transfer(file, connections[index].file)
                connections[index].giveAway()
            }
            if connections[index].follow(feed, now) { _ = connections[index].send(now) }
            connections[index].expire(now)
            if connections[index].isOver { connections[index].close() }
        }
        connections.removeAll { $0.isOver }
    }

    func close() {
        for connection in connections { connection.close() }
        try? listener.close()
    }

    private func isOpen(_ now: ContinuousClock.Instant) -> Bool { opens.map { $0 <= now } ?? true }

    private mutating func acceptAll(_ now: ContinuousClock.Instant) {
        do {
            for _ in 0..<Self.mostArrivals {
                guard let file = try StreamSocket.accept(listener) else { return }
                guard makeSpace() else {
                    try? file.close()
                    continue
                }
                nextNumber += 1
                connections.append(PageConnection(file, number: nextNumber, limits: limits, now: now))
            }
        } catch {
            // No more files: those who are here need theirs more.
            opens = now + .seconds(1)
        }
    }

    /// Sends the oldest away that has not shown the token, where there are too many: nobody can keep the page's person out.
    private mutating func makeSpace() -> Bool {
        guard connections.count >= limits.connections else { return true }
        guard let index = connections.firstIndex(where: { !$0.knowsToken }) else { return false }
        connections[index].close()
        connections.remove(at: index)
        return true
    }
}
