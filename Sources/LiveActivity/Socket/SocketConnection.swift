import Foundation
import SystemPackage

/// One who asks at a process's socket, however slow or rude.
struct SocketConnection {
    let file: FileDescriptor
    /// Of no other.
    let number: Int
    /// Who has not said by then what he wants goes.
    let deadline: Date
    /// Whether poll has seen something to read.
    var isReadable = true
    private(set) var isFollowing = false
    private(set) var isOver = false
    private var lines = Lines(limit: 4096)
    private var outbox = ListenerQueue()
    private var endsWhenSent = false
    /// Whether what it asked for is being done.
    private var isAsking = false

    init(_ file: FileDescriptor, number: Int, deadline: Date) {
        (self.file, self.number) = (file, number)
        self.deadline = deadline
    }

    var wantsToSend: Bool { !outbox.isEmpty && !isOver }

    /// What poll is to wait for.
    var interest: Int16 { Int16(POLLIN) | (wantsToSend ? Int16(POLLOUT) : 0) }

    /// Reads; returns what it asks for, once.
    mutating func receive() -> SocketRequest? {
        guard isReadable else { return nil }
        isReadable = false
        guard let bytes = StreamSocket.receive(from: file) else {
            isOver = true
            return nil
        }
        // Whatever else a listener says is of no interest.
        guard !isFollowing, !isAsking, !endsWhenSent else { return nil }
        guard let lines = lines.add(bytes) else {
            isOver = true
            return nil
        }
        guard let line = lines.first else { return nil }
        guard let request = try? JSONDecoder().decode(SocketRequest.self, from: Data(line)) else {
            answer(SocketReply(error: "This request is not known here."))
            return nil
        }
        isAsking = true
        return request
    }

    mutating func follow(_ replay: [ActivityEvent]) {
        isFollowing = true
        for event in replay { outbox.put(EventLine(event)) }
    }

    mutating func put(_ line: EventLine) { if isFollowing { outbox.put(line) } }

    mutating func answer(_ reply: SocketReply) {
        outbox.put(Array(Wire.encode(reply) ?? Data()) + [UInt8(ascii: "\n")])
        endsWhenSent = true
    }

    /// Sends what goes without waiting.
    mutating func send() {
        while !isOver, !outbox.isEmpty {
            guard let count = StreamSocket.send(outbox.next(), to: file) else {
                isOver = true
                return
            }
            if count == 0 { return }
            outbox.sent(count)
        }
        if endsWhenSent { isOver = true }
    }

    mutating func expire(_ now: Date) {
        if !isFollowing, !isAsking, !endsWhenSent, now >= deadline { isOver = true }
    }
}

/// Bytes from a socket, put together to lines.
struct Lines {
    private var rest: [UInt8] = []
    private let limit: Int

    /// - Parameter limit: the bytes of the longest line.
    init(limit: Int) { self.limit = limit }

    /// The lines that are complete now, without their ends; `nil` if one is too long.
    mutating func add(_ bytes: [UInt8]) -> [[UInt8]]? {
        rest += bytes
        var lines: [[UInt8]] = []
        var begin = rest.startIndex
        while let end = rest[begin...].firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(Array(rest[begin..<end]))
            begin = end + 1
        }
        rest.removeSubrange(..<begin)
        return rest.count > limit ? nil : lines
    }
}
