import Foundation
import TestSupport

@testable import ActivityPage

/// An HTTP client that sends exactly what a test wants sent, and reads when the test wants it read.
struct PlainClient: Sendable {
    let port: UInt16
    /// What event streams are opened with.
    var bearer: [String: String] = [:]

    struct Answer: Sendable {
        var status: Int
        var headers: [String: String]
        var body: Data
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// One request on a connection of its own.
    func ask(_ method: String = "GET", _ target: String, _ headers: [String: String] = [:]) async throws -> Answer {
        let socket = try await open(method, target, headers.merging(["Connection": "close"]) { own, _ in own })
        return try Answer(await socket.readToEnd())
    }

    /// Sends a request and leaves the answer to be read.
    func open(_ method: String = "GET", _ target: String, _ headers: [String: String] = [:]) async throws
        -> ClientSocket
    {
        let socket = try ClientSocket(port: port)
        var lines = ["\(method) \(target) HTTP/1.1"]
        let all = headers.merging(["Host": "127.0.0.1:\(port)"]) { own, _ in own }
        lines += all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)" }
        try await socket.write(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        return socket
    }

    /// An event stream, from after the event of that id.
    func events(after id: String? = nil) async throws -> EventReader {
        let headers = bearer.merging(id.map { ["Last-Event-ID": $0] } ?? [:]) { $1 }
        return EventReader(socket: try await open("GET", "/events", headers))
    }
}

extension PlainClient.Answer {
    init(_ data: Data) throws {
        guard let end = data.range(of: Data("\r\n\r\n".utf8)) else { throw ClientSocket.Gone() }
        let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        status = Int(lines[0].split(separator: " ")[1]) ?? 0
        headers = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        body = Data(data[end.upperBound...])
    }
}
