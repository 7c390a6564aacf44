import Foundation

/// A request (HTTP/1.1, RFC 9112), as far as the page needs it. What is not written exactly as the specification has it is
/// refused: where two readers of a head may differ, doors open.
struct PageRequest: Sendable {
    var method = ""
    /// The path's parts, without their escapes.
    var path: [String] = []
    var query: [String: String] = [:]
    /// By their names in small letters.
    var headers: [String: String] = [:]
    /// Bytes.
    var bodyLength = 0
    /// Whether another request may follow on the same connection.
    var keepsAlive = true
}

/// Why a request is not answered but its connection closed.
struct RequestRefusal: Error, Equatable {
    let status: Int
    /// A sentence.
    let words: String

    static let malformed = RequestRefusal(status: 400, words: "This is not an HTTP/1.1 request.")
    static let largeHead = RequestRefusal(status: 431, words: "The head of the request is too large.")
    static let largeBody = RequestRefusal(status: 413, words: "The body of the request is too large.")
    static let noLength = RequestRefusal(status: 411, words: "A body needs a Content-Length.")
    static let otherVersion = RequestRefusal(status: 505, words: "The page knows HTTP/1.1.")
    static let late = RequestRefusal(status: 408, words: "The request did not come in time.")
}

extension PageRequest {
    /// - Parameter head: the lines of the head, without the empty one.
    init(head: ArraySlice<UInt8>, bodyLimit: Int) throws(RequestRefusal) {
        var lines = Self.lines(of: head)[...]
        guard let first = lines.popFirst() else { throw .malformed }
        let isCurrent = try readFirst(first)
        guard lines.count <= 100 else { throw .largeHead }
        for line in lines { try readHeader(line) }
        guard headers["transfer-encoding"] == nil else { throw .noLength }
        if let length = headers["content-length"] {
            guard length.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), !length.isEmpty else {
                throw .malformed
            }
            guard let count = Int(length), count <= bodyLimit else { throw .largeBody }
            bodyLength = count
        }
        let wishes = (headers["connection"] ?? "").lowercased().split(whereSeparator: { $0 == "," || $0 == " " })
        keepsAlive = isCurrent ? !wishes.contains("close") : wishes.contains("keep-alive")
    }

    private static func lines(of head: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var begin = head.startIndex
        for end in head.indices
        where head[end] == UInt8(ascii: "\n") && end > begin && head[end - 1] == UInt8(ascii: "\r") {
            lines.append(head[begin..<end - 1])
            begin = end + 1
        }
        lines.append(head[begin...])
        return lines
    }

    /// Method, target and version; returns whether the version is 1.1.
    private mutating func readFirst(_ line: ArraySlice<UInt8>) throws(RequestRefusal) -> Bool {
        // A target holds no spaces, and nothing that is not ASCII.
        guard line.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw .malformed }
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].count <= 16, words[0].allSatisfy(Self.isTokenByte),
            words[1].first == UInt8(ascii: "/")
        else { throw .malformed }
        let version = String(decoding: words[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw version.hasPrefix("HTTP/") ? .otherVersion : .malformed
        }
        method = String(decoding: words[0], as: UTF8.self)
        let parts = words[1].split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        for part in parts[0].split(separator: UInt8(ascii: "/")) { path.append(try Self.unescaped(part)) }
        for item in (parts.dropFirst().first ?? []).split(separator: UInt8(ascii: "&")) {
            let pair = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let (name, value) = (try Self.unescaped(pair[0]), try Self.unescaped(pair.dropFirst().first ?? []))
            if query[name] == nil { query[name] = value }
        }
        return version == "HTTP/1.1"
    }

    private mutating func readHeader(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(Self.isTokenByte),
            line[colon...].allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") })
        else { throw .malformed }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let value = String(decoding: line[(colon + 1)...], as: UTF8.self).trimmingCharacters(in: .whitespaces)
        guard let known = headers[name] else {
            headers[name] = value
            return
        }
        // Of these there is one: whoever sends two wants two readers to see different ones.
        guard !["host", "origin", "content-length", "transfer-encoding", "authorization"].contains(name) else {
            throw .malformed
        }
        headers[name] = known + (name == "cookie" ? "; " : ", ") + value
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) throws(RequestRefusal) -> String {
        guard let text = String(decoding: bytes, as: UTF8.self).removingPercentEncoding else { throw .malformed }
        return text
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
