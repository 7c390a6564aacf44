import Foundation
import SystemPackage
import Testing

@testable import LiveActivity

@Suite("Who asks at a process's socket") struct SocketConnectionTests {
    @Test("Who has said nothing by its deadline goes; who waits for an answer, or follows, stays")
    func deadline() throws {
        func expires(_ request: SocketRequest?, isFollowed: Bool = false) throws -> Bool {
            let ends = try Ends()
            defer { try? ends.close() }
            var connection = SocketConnection(ends.served, number: 1, deadline: Date(timeIntervalSince1970: 10))
            if let request { #expect(SocketClient.send(request, to: ends.asking)) }
            #expect(connection.receive() == request)
            if isFollowed { connection.follow([]) }
            connection.expire(Date(timeIntervalSince1970: 9.9))
            #expect(!connection.isOver)
            connection.expire(Date(timeIntervalSince1970: 3600))
            return connection.isOver
        }
        #expect(try expires(nil))
        #expect(try !expires(SocketRequest(control: "set", id: "a", text: "gain=3")))
        #expect(try !expires(SocketRequest(follow: true), isFollowed: true))
    }

    /// Both ends of a connection.
    private struct Ends {
        let served: FileDescriptor
        let asking: FileDescriptor

        init() throws {
            var numbers: [Int32] = [0, 0]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &numbers) == 0 else {
                throw Errno(rawValue: errno)
            }
            (served, asking) = (FileDescriptor(rawValue: numbers[0]), FileDescriptor(rawValue: numbers[1]))
        }

        func close() throws {
            try served.close()
            try asking.close()
        }
    }
}
