import Errors
import Foundation
import SystemPackage
import Threads

/// What the thread of a process's socket does, again and again: wait, take in, hand out.
struct ServerLoop {
    /// More than this at once are turned away: each takes one of the process's files.
    static let mostConnections = 600
    private let center: ActivityCenter
    private let listener: FileDescriptor
    private let wake: FileDescriptor
    private let answers: SocketAnswers
    /// How long a client has to send its request.
    private let requestTimeout: Duration
    private var connections: [SocketConnection] = []
    private var lastNumber = 0
    /// What lives, for those who come late.
    private var live: [String: ActivityRecord] = [:]
    /// When the next may come in, after no more files could be opened.
    private var opens = Date.distantPast

    init(
        center: ActivityCenter, listener: FileDescriptor, wake: FileDescriptor, answers: SocketAnswers,
        requestTimeout: Duration
    ) {
        (self.center, self.listener, self.wake, self.answers) = (center, listener, wake, answers)
        self.requestTimeout = requestTimeout
    }

    var hasUnsent: Bool { connections.contains { $0.wantsToSend } }

    /// Waits until somebody says something, or there is room for what is to be sent.
    mutating func wait(within limit: Duration) {
        let isOpen = opens <= Date()
        var polled =
            [pollfd(fd: wake.rawValue, events: Int16(POLLIN), revents: 0)]
            // A negative number is passed over.
            + [pollfd(fd: isOpen ? listener.rawValue : -1, events: Int16(POLLIN), revents: 0)]
            + connections.map { pollfd(fd: $0.file.rawValue, events: $0.interest, revents: 0) }
        guard poll(&polled, nfds_t(polled.count), limit.pollMilliseconds) > 0 else { return }
        for index in connections.indices where polled[index + 2].revents & ~Int16(POLLOUT) != 0 {
            connections[index].isReadable = true
        }
    }

    mutating func step(_ events: [ActivityEvent], now: Date) {
        for event in events { take(event) }
        if opens <= now { acceptAll(now) }
        for index in connections.indices {
            if let request = connections[index].receive() { handle(request, index) }
        }
        for (number, reply) in answers.take() {
            guard let index = connections.firstIndex(where: { $0.number == number }) else { continue }
            connections[index].answer(reply)
        }
        for index in connections.indices {
            connections[index].send()
            connections[index].expire(now)
            if connections[index].isOver { try? connections[index].file.close() }
        }
        connections.removeAll { $0.isOver }
    }

    func close() {
        for connection in connections { try? connection.file.close() }
        try? listener.close()
    }

    private mutating func take(_ event: ActivityEvent) {
        if let attributes = event.attributes ?? live[event.id]?.attributes {
            let start = live[event.id]?.startDate ?? event.timestamp
            live[event.id] =
                event.event == .end ? nil : ActivityRecord(attributes: attributes, last: event, startDate: start)
        }
        guard connections.contains(where: \.isFollowing) else { return }
        let line = EventLine(event)
        for index in connections.indices { connections[index].put(line) }
    }

    private mutating func acceptAll(_ now: Date) {
        do {
            while let file = try StreamSocket.accept(listener) {
                if connections.count < Self.mostConnections, UnixSocket.isTrusted(file) {
                    lastNumber += 1
                    connections.append(
                        SocketConnection(
                            file, number: lastNumber, deadline: now.addingTimeInterval(requestTimeout.seconds)))
                } else {
                    try? file.close()
                }
            }
        } catch {
            // No more files: the work needs those it has more than a listener needs one.
            opens = now.addingTimeInterval(1)
        }
    }

    private mutating func handle(_ request: SocketRequest, _ index: Int) {
        if request.follow == true {
            let oldest = live.values.sorted { $0.startDate < $1.startDate }
            return connections[index].follow(oldest.flatMap(\.replay))
        }
        let (answers, number) = (answers, connections[index].number)
        do {
            try perform(request) { result in
                do { answers.put(SocketReply(text: try result.get()), to: number) } catch {
                    answers.put(SocketReply(error: "\(error)"), to: number)
                }
            }
        } catch { connections[index].answer(SocketReply(error: "\(error)")) }
    }

    /// Has it done; the reply may come later, from any thread.
    private func perform(
        _ request: SocketRequest, reply: @escaping @Sendable (Result<String?, any Error>) -> Void
    ) throws {
        guard let control = request.control.flatMap(ActivityControl.init), let id = request.id else {
            throw RushesError(.controlRefused, "This request is not known here.")
        }
        guard let activity = center.activity(id) else { throw RushesError.unknownActivity(id) }
        try activity.control(control, text: request.text, reply: reply)
    }
}

/// Answers on their way to those who asked at a process's socket, from whoever did what was asked.
final class SocketAnswers: Sendable {
    private let waiting = Locked<[(number: Int, reply: SocketReply)]>([])
    private let onAnswer: @Sendable () -> Void

    /// - Parameter onAnswer: wakes the thread that sends them.
    init(onAnswer: @escaping @Sendable () -> Void) { self.onAnswer = onAnswer }

    /// - Parameter number: of the connection.
    func put(_ reply: SocketReply, to number: Int) {
        waiting.withLock { $0.append((number, reply)) }
        onAnswer()
    }

    func take() -> [(number: Int, reply: SocketReply)] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
