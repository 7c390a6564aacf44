import Foundation
import TestSupport
import LiveActivity

/// Reads a stream of server-sent events as a browser does.
actor EventReader {
    /// One message of the stream.
    struct Message: Sendable {
        var id: String?
        var event = ""
        var data = ""

        var activityEvent: ActivityEvent? { try? ActivityEvent(line: Data(data.utf8)) }
    }

    nonisolated let socket: ClientSocket
    private var buffer = Data()
    private var hasSeenHeaders = false

    init(socket: ClientSocket) { self.socket = socket }

    nonisolated func close() { socket.close() }

    /// The next message; comments are skipped.
    func next() async throws -> Message {
        while true {
            if let message = takeMessage() { return message }
            buffer += try await socket.read()
        }
    }

    /// Messages up to and with the first of which this is true.
    func until(_ isLast: (Message) -> Bool) async throws -> [Message] {
        var all: [Message] = []
        while true {
            let message = try await next()
            all.append(message)
            if isLast(message) { return all }
        }
    }

    private func takeMessage() -> Message? {
        if !hasSeenHeaders {
            guard let end = buffer.range(of: Data("\r\n\r\n".utf8)) else { return nil }
            buffer = Data(buffer[end.upperBound...])
            hasSeenHeaders = true
        }
        while let end = buffer.range(of: Data("\n\n".utf8)) {
            let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).split(whereSeparator: \.isNewline)
            buffer = Data(buffer[end.upperBound...])
            var message = Message()
            // What is no field is the chunked encoding's: a size, an empty line.
            for line in lines {
                if line.hasPrefix("id: ") { message.id = String(line.dropFirst(4)) }
                if line.hasPrefix("event: ") { message.event = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { message.data += line.dropFirst(6) }
            }
            if !message.data.isEmpty { return message }
        }
        return nil
    }
}
