import Foundation

/// An answer, with the headers that keep other sites out of the page and the page to itself.
struct PageAnswer: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// A part of a result.
        case file(Transfer)
        /// All events from here on: what comes first, then what follows the entry of that number.
        case events(opening: [UInt8], after: Int?, ReaderSeat)
    }

    var status: Int
    var headers: [String: String]
    var body: Body

    private static let protection: [String: String] = [
        // Everything from here, nothing inline, in nobody's frame.
        "Content-Security-Policy":
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
    ]

    init(_ status: Int, _ contentType: String, _ body: Body, _ more: [String: String] = [:]) {
        self.status = status
        self.body = body
        headers = Self.protection.merging(more) { _, new in new }
        headers["Content-Type"] = contentType
    }

    static func file(_ data: Data, _ contentType: String) -> PageAnswer {
        PageAnswer(200, contentType, .bytes(Array(data)))
    }

    /// One sentence for a person, or for the page to show.
    static func sentence(_ status: Int, _ text: String, _ more: [String: String] = [:]) -> PageAnswer {
        PageAnswer(status, "text/plain; charset=utf-8", .bytes(Array("\(text)\n".utf8)), more)
    }

    static func refusal(_ refusal: RequestRefusal) -> PageAnswer { sentence(refusal.status, refusal.words) }

    /// Bytes of the body; `nil` where it ends with the connection.
    private var length: Int64? {
        switch body {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let transfer): transfer.range.upperBound - transfer.range.lowerBound
        case .events: nil
        }
    }

    /// Whether the connection can serve another request after this.
    var endsItself: Bool { if case .bytes = body { true } else { false } }

    /// Status line and headers, with the empty line.
    func head(keepsAlive: Bool) -> [UInt8] {
        // A line break in a value would begin a header of somebody else's: no such answer leaves.
        guard headers.values.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            return Array("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        }
        var lines = ["HTTP/1.1 \(status) \(Self.phrases[status] ?? "")"]
        lines += headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        if let length { lines.append("Content-Length: \(length)") }
        lines.append("Connection: \(keepsAlive ? "keep-alive" : "close")")
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static let phrases = [
        200: "OK", 202: "Accepted", 206: "Partial Content", 303: "See Other", 400: "Bad Request", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
        413: "Content Too Large", 416: "Range Not Satisfiable", 431: "Request Header Fields Too Large",
        503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]
}
