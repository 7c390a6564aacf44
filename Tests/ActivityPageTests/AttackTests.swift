import Foundation
import LiveActivity
import TestSupport
import Testing

@testable import ActivityPage

/// People without the token who want to keep the page from others, or the machine from its work.
@Suite(.timeLimit(.minutes(10))) struct AttackTests {
    private func page(_ change: (inout PageLimits) -> Void = { _ in }) async throws -> RunningPage {
        // A request has as long as a busy machine needs, unless a test says otherwise.
        var limits = RunningPage.patient
        change(&limits)
        return try await RunningPage(limits: limits)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nX: ", "GET /", "", "A: b\r\n"])
    func `a head of five megabytes is refused`(begin: String) async throws {
        // How long a head may take, and who sends on after the answer is listened to; where the machine is busy, five megabytes, and
        // their first part, take their time.
        let page = try await page { ($0.head, $0.linger) = (.seconds(120), .seconds(120)) }
        let socket = try ClientSocket(port: page.client.port)
        let head = Data(begin.utf8) + Data(repeating: UInt8(ascii: "a"), count: 5 << 20)
        async let sent = socket.write(head)
        let answer = try PlainClient.Answer(await socket.readToEnd())
        _ = try await sent
        #expect(answer.status == 431)
        #expect(answer.headers["connection"] == "close")
        await page.server.stop()
    }

    @Test func `heads that do not come to their end are told so, and silent connections are closed`() async throws {
        let page = try await page { $0.head = .seconds(15) }
        let silent = try ClientSocket(port: page.client.port)
        let slow = try ClientSocket(port: page.client.port)
        try await slow.write(Data("GET / HTTP/1.1\r\nHost: loc".utf8))
        let body = try ClientSocket(port: page.client.port)
        try await body.write(
            Data("POST /activities/one/stop HTTP/1.1\r\nHost: a\r\nContent-Length: 4096\r\n\r\nx".utf8))
        #expect(try PlainClient.Answer(await slow.readToEnd()).status == 408)
        #expect(try PlainClient.Answer(await body.readToEnd()).status == 408)
        #expect(await silent.readToEnd().isEmpty)
        await page.server.stop()
    }

    @Test func `who comes when all places are taken by strangers gets one, and who has the token keeps theirs`()
        async throws
    {
        let page = try await page { $0.connections = 20 }
        let work = Export("one")
        page.feed.publish(work.start())
        let mine = EventReader(socket: try await page.client.open("GET", "/events?token=\(page.server.token.text)"))
        _ = try await mine.next()
        var strangers: [ClientSocket] = []
        for number in 0..<60 {
            strangers.append(
                number % 2 == 0
                    ? try ClientSocket(port: page.client.port) : try await page.client.open("GET", "/events"))
        }
        #expect(try await page.client.ask("GET", "/").status == 200)
        page.feed.publish(work.end())
        _ = try await mine.until { $0.event == "end" }
        // The first of them was the first to go.
        #expect(await strangers[0].readToEnd().isEmpty)
        await page.server.stop()
    }

    @Test func `what is refused is refused with a sentence`() async throws {
        let page = try await page()
        for (request, status) in [
            ("GET / HTTP/1.1\nHost: a\r\n\r\n", 400), ("POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
            ("POST /x HTTP/1.1\r\nContent-Length: 9999999\r\n\r\n", 413), ("GET / HTTP/3.0\r\n\r\n", 505),
        ] {
            let socket = try ClientSocket(port: page.client.port)
            try await socket.write(Data(request.utf8))
            let answer = try PlainClient.Answer(await socket.readToEnd())
            #expect(answer.status == status && answer.text.hasSuffix(".\n"), "\(request)")
        }
        await page.server.stop()
    }

    @Test func `requests one behind the other are answered one behind the other`() async throws {
        let page = try await page()
        let socket = try ClientSocket(port: page.client.port)
        let host = "Host: 127.0.0.1:\(page.client.port)\r\n"
        let one = "GET /page/words.js HTTP/1.1\r\n\(host)\r\n"
        let last = "GET /nothing HTTP/1.1\r\n\(host)Connection: close\r\n\r\n"
        try await socket.write(Data((one + one + one + last).utf8))
        let text = String(decoding: await socket.readToEnd(), as: UTF8.self)
        #expect(text.matches(of: #/HTTP/1.1 200 OK/#).count == 3)
        #expect(text.hasSuffix("Not found.\n"))
        await page.server.stop()
    }

    @Test func `a silent stream shows that it lives`() async throws {
        let page = try await page { $0.keepAlive = .milliseconds(50) }
        let reader = try await page.client.open("GET", "/events")
        var text = ""
        while !text.hasSuffix(":\n\n:\n\n") { text += String(decoding: try await reader.read(), as: UTF8.self) }
        await page.server.stop()
    }
}
