import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ActivityPage

/// One connection, whose time the test has in hand.
@Suite struct PageConnectionTests {
    private let limits = PageLimits()
    private let own: FileDescriptor
    private let other: FileDescriptor

    init() throws {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        own = FileDescriptor(rawValue: ends[0])
        other = FileDescriptor(rawValue: ends[1])
    }

    private func close() throws {
        try own.close()
        try other.close()
    }

    private func sent() throws -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = try bytes.withUnsafeMutableBytes { try other.read(into: $0) }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private let begin = ContinuousClock.now

    private func time(_ seconds: Double) -> ContinuousClock.Instant { begin + .seconds(seconds) }

    private func connection() -> PageConnection { PageConnection(own, number: 1, limits: limits, now: time(100)) }

    @Test func `a head that comes byte by byte has ten seconds all the same`() throws {
        var connection = connection()
        for second in 0..<10 {
            try other.writeAll("G".utf8)
            connection.isReadable = true
            let demand = connection.receive(time(100 + Double(second)))
            #expect(demand == nil)
            connection.expire(time(100 + Double(second)))
            #expect(connection.interest & Int16(POLLIN) != 0)
        }
        connection.expire(time(110))
        _ = connection.send(time(110))
        #expect(try sent().hasPrefix("HTTP/1.1 408"))
        connection.expire(time(111))
        #expect(!connection.isOver)
        connection.expire(time(112))
        #expect(connection.isOver)
        try close()
    }

    @Test func `a reader who takes nothing is let go after a minute, and its seat is free`() throws {
        let feed = ActivityFeed()
        var connection = connection()
        try other.writeAll("GET /events HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        guard case .answer = connection.receive(time(100)) else { throw ClientSocket.Gone() }
        let opening = [UInt8](repeating: UInt8(ascii: "x"), count: 10 << 20)
        try connection.put(
            PageAnswer(
                200, "text/event-stream",
                .events(opening: opening, after: nil, #require(feed.takeSeat(knowsToken: false)))), time(101))
        _ = connection.send(time(101))
        #expect(connection.hasUnsent && feed.readers == 1)
        connection.expire(time(160))
        _ = connection.send(time(160))
        #expect(!connection.isOver)
        // Whoever takes something has time again.
        _ = try sent()
        _ = connection.send(time(160))
        connection.expire(time(219))
        #expect(!connection.isOver)
        connection.expire(time(220))
        #expect(connection.isOver && feed.readers == 0)
        try close()
    }

    @Test func `an answer that does not come is given up`() throws {
        var connection = connection()
        try other.writeAll("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        guard case .answer = connection.receive(time(100)) else { throw ClientSocket.Gone() }
        connection.expire(time(129))
        #expect(!connection.hasUnsent)
        connection.expire(time(130))
        _ = connection.send(time(130))
        #expect(try sent().hasPrefix("HTTP/1.1 503"))
        try close()
    }

    @Test func `no header of an answer holds a line break`() {
        for value in ["a\r\nX-Injected: yes", "a\nb", "a\rb", "\0"] {
            let answer = PageAnswer(303, "text/plain", .bytes([]), ["Location": value])
            let head = String(decoding: answer.head(keepsAlive: true), as: UTF8.self)
            #expect(head.hasPrefix("HTTP/1.1 500") && !head.contains("Injected"))
        }
    }
}
