import Foundation
import TestSupport
import Testing

@testable import ActivityPage

/// Requests as bytes, however they come.
@Suite struct RequestTests {
    private func read(_ text: String, in pieces: Int? = nil) throws -> [PageRequest] {
        var reader = RequestReader(PageLimits())
        var requests: [PageRequest] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces ?? bytes.count) {
            reader.add(Array(bytes[start..<min(bytes.count, start + (pieces ?? bytes.count))]))
            while let request = try reader.next() { requests.append(request) }
        }
        return requests
    }

    @Test(arguments: [1, 2, 3, 7, nil]) func `requests are the same in whatever pieces they come`(pieces: Int?) throws {
        let text = """
            \r\nGET /activities/a%20b/result?token=x%3Dy&z HTTP/1.1\r\nHost: localhost\r\nCOOKIE:a=b\r\nCookie:\tc=d \r\n\r\n\
            POST /a/b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nxyzGET / HTTP/1.0\r\n\r\n
            """
        let requests = try read(text, in: pieces)
        #expect(requests.map(\.method) == ["GET", "POST", "GET"])
        #expect(requests[0].path == ["activities", "a b", "result"])
        #expect(requests[0].query == ["token": "x=y", "z": ""])
        #expect(requests[0].headers == ["host": "localhost", "cookie": "a=b; c=d"])
        #expect(requests.map(\.keepsAlive) == [true, true, false])
    }

    @Test(arguments: [
        "GET / HTTP/1.1\nHost: a\n\n\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET /\r\n\r\n", "G@T / HTTP/1.1\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
        "GET / HTTP/1.1\r\nA: b\rX: y\r\n\r\n", "GET / HTTP/1.1\r\nA: b\nX: y\r\n\r\n", "GET / HTTP/1.1\r\nA\r\n\r\n",
        "GET / HTTP/1.1\r\nA: \0\r\n\r\n", "GET /%zz HTTP/1.1\r\n\r\n", "GET /\u{FC} HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\n: b\r\n\r\n", "\r\n\r\n\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "GET / XTTP\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\n",
    ]) func `what is not written as it should be is refused`(text: String) {
        #expect(throws: RequestRefusal.malformed) { try read(text) }
    }

    @Test func `sizes have limits`() throws {
        let limit = PageLimits().headBytes
        let frame = "GET / HTTP/1.1\r\nA: \r\n\r\n".utf8.count
        #expect(try read("GET / HTTP/1.1\r\nA: \(String(repeating: "x", count: limit - frame))\r\n\r\n").count == 1)
        for more in [1, 100_000] {
            let text = "GET / HTTP/1.1\r\nA: \(String(repeating: "x", count: limit - frame + more))\r\n\r\n"
            for pieces in [1000, nil] { #expect(throws: RequestRefusal.largeHead) { try read(text, in: pieces) } }
        }
        let many = (0...100).map { "A\($0): b\r\n" }.joined()
        #expect(throws: RequestRefusal.largeHead) { try read("GET / HTTP/1.1\r\n\(many)\r\n") }
        for length in ["4097", "99999999999999999999"] {
            #expect(throws: RequestRefusal.largeBody) {
                try read("POST / HTTP/1.1\r\nContent-Length: \(length)\r\n\r\n")
            }
        }
        #expect(throws: RequestRefusal.noLength) { try read("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n") }
        #expect(throws: RequestRefusal.otherVersion) { try read("GET / HTTP/2.0\r\n\r\n") }
    }

    @Test func `whatever comes ends in a request, a refusal, or the wish for more`() {
        var generator = SeededGenerator(state: 4711)
        let parts = [
            "GET ", "POST ", "/", " HTTP/1.1", "\r\n", "\r", "\n", ":", " ", "Host", "Content-Length: 3", "%", "\0",
            "é",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }
            .joined()
            do {
                for request in try read(text + "\r\n\r\n") {
                    #expect(request.path.allSatisfy { !$0.contains("/") || text.contains("%") })
                }
            } catch { #expect(error is RequestRefusal, "\(text)") }
        }
    }

    @Test(
        arguments: [
            ("bytes=2-4", 2..<5), ("bytes=2-", 2..<10), ("bytes=-3", 7..<10), ("bytes=0-99", 0..<10),
            ("bytes=-99", 0..<10),
            ("bytes=10-", nil), ("bytes=-0", nil),
        ] as [(String, Range<Int64>?)]) func `parts of a file are those that were asked for`(
            header: String, part: Range<Int64>?
        )
        throws
    {
        #expect(try #require(ByteRange(header)).bytes(of: 10) == part)
    }

    @Test(arguments: [
        "bytes=4-2", "bytes=", "bytes=-", "bytes=1-2,4-5", "lines=1-2", "bytes=99999999999999999999-", "",
    ])
    func `what names no part is passed over`(header: String) { #expect(ByteRange(header) == nil) }
}
