import Errors
import Foundation
import LiveActivity
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import ActivityPage

/// The page over HTTP, as programs ask for it.
@Suite(.timeLimit(.minutes(10))) struct PageServerTests {
    private let page: RunningPage
    private let folder: TemporaryFolder
    private var client: PlainClient { page.client }

    init() async throws {
        page = try await RunningPage(refusesToPause: true)
        folder = try TemporaryFolder()
    }

    @Test func `the page and its parts come with what they need and a policy that allows nothing else`() async throws {
        for path in ["/", "/activities/anything"] {
            let answer = try await client.ask("GET", path)
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
            let policy = try #require(answer.headers["content-security-policy"])
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(!answer.text.contains("http:") && !answer.text.contains("https:"))
            for part in answer.text.matches(of: #/(?:src|href)="(/page/[^"]+)"/#) {
                #expect(try await client.ask("GET", String(part.1)).status == 200, "\(part.1)")
            }
        }
        await page.server.stop()
    }

    @Test func `other hosts and other sites are refused, also by name`() async throws {
        for path in ["/", "/events", "/page/page.js", "/activities/one/thumbnail", "/activities/one/result"] {
            #expect(try await client.ask("GET", path, ["Host": "evil.example"]).status == 403, "\(path)")
            #expect(try await client.ask("GET", path, ["Origin": "http://evil.example"]).status == 403, "\(path)")
            #expect(try await client.ask("GET", path, ["Host": ""]).status == 403, "\(path)")
        }
        page.feed.publish(Export("one").start())
        let refused = try await client.ask("POST", "/activities/one/cancel", ["Origin": "http://evil.example"])
        #expect(refused.status == 403)
        #expect(page.wishes.withLock { $0 } == [])
        await page.server.stop()
    }

    @Test func `wishes reach the activity, and its refusal the page`() async throws {
        page.feed.publish(Export("one").start())
        let origin = page.bearer.merging(["Origin": "http://127.0.0.1:\(client.port)"]) { $1 }
        #expect(try await client.ask("GET", "/activities/one/controls", origin).text == #"["cancel","pause","resume"]"#)
        #expect(try await client.ask("POST", "/activities/one/stop", origin).status == 202)
        let refused = try await client.ask("POST", "/activities/one/pause", origin)
        #expect(refused.status == 409)
        #expect(refused.text == "It cannot be paused.\n")
        #expect(page.wishes.withLock { $0 } == ["stop one", "pause one"])
        for path in ["/activities/two/stop", "/activities/one/erase", "/activities/one", "/", "/events"] {
            #expect(try await client.ask("POST", path, origin).status == 404, "\(path)")
        }
        #expect(try await client.ask("GET", "/activities/one/stop", origin).status == 404)
        #expect(try await client.ask("DELETE", "/activities/one").status == 405)
        page.feed.publish(Export("two").end())
        #expect(try await client.ask("POST", "/activities/two/stop", origin).status == 409)
        #expect(page.wishes.withLock { $0.count } == 2)
        await page.server.stop()
    }

    @Test func `only thumbnails of known activities are served`() async throws {
        let frame = folder.file("thumb.png")
        let bytes = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 7])
        try bytes.write(to: URL(filePath: frame))
        let export = Export("one")
        page.feed.publish(export.start())
        #expect(try await client.ask("GET", "/activities/one/thumbnail", page.bearer).status == 404)
        page.feed.publish(export.update(1) { $0.thumbnail = frame })
        let answer = try await client.ask("GET", "/activities/one/thumbnail?seq=2", page.bearer)
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "image/png")
        #expect(answer.body == bytes)
        for path in [
            "/activities/two/thumbnail", "/activities/../thumbnail", "/activities/%2e%2e%2f%2e%2e%2fetc/thumbnail",
            "/page/../../../../etc/passwd", "/page/..%2f..%2fPackage.swift", "/page/%2e%2e/index.html", "//etc/passwd",
            "/activities/one/thumbnail/../../../etc/passwd", "/etc/passwd", frame,
        ] {
            let answer = try await client.ask("GET", path, page.bearer)
            #expect(answer.status != 200 || answer.headers["content-type"]?.hasPrefix("text/html") == true, "\(path)")
            #expect(!answer.text.contains("root:") && answer.body != bytes, "\(path)")
        }
        page.feed.publish(export.update(2) { $0.thumbnail = "/etc/passwd" })
        #expect(try await client.ask("GET", "/activities/one/thumbnail", page.bearer).status == 404)
        await page.server.stop()
    }

    @Test func `results are for who has the token, also on loopback, in parts if asked`() async throws {
        let movie = folder.file("take.mov")
        try Data("0123456789".utf8).write(to: URL(filePath: movie))
        page.feed.publish(Export("one").end { $0.output = movie })
        #expect(try await client.ask("GET", "/activities/one/result").status == 403)
        let bearer = page.bearer
        let whole = try await client.ask("GET", "/activities/one/result", bearer)
        #expect(whole.text == "0123456789")
        #expect(whole.headers["content-type"] == "video/quicktime")
        #expect(whole.headers["x-content-type-options"] == "nosniff")
        let part = try await client.ask("GET", "/activities/one/result", bearer.merging(["Range": "bytes=2-4"]) { $1 })
        #expect(part.status == 206)
        #expect(part.text == "234")
        await page.server.stop()
    }

    @Test func `on every address nothing is served without the token, and the link turns it into a cookie`()
        async throws
    {
        let page = try await RunningPage(address: "0.0.0.0:0")
        page.feed.publish(Export("one").start())
        for path in ["/", "/events", "/page/page.css", "/activities/one", "/activities/one/thumbnail"] {
            #expect(try await page.client.ask("GET", path).status == 403, "\(path)")
        }
        #expect(try await page.client.ask("POST", "/activities/one/stop").status == 403)
        #expect(try await page.client.ask("GET", "/?token=wrong").status == 403)
        let token = page.server.token.text
        let moved = try await page.client.ask("GET", "/activities/one?token=\(token)")
        #expect(moved.status == 303)
        #expect(moved.headers["location"] == "/activities/one")
        let cookie = try #require(moved.headers["set-cookie"])
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite"))
        let sent = try #require(cookie.split(separator: ";").first)
        #expect(try await page.client.ask("GET", "/", ["Cookie": "a=b; \(sent)"]).status == 200)
        #expect(try await page.client.ask("POST", "/activities/one/stop", ["Cookie": "\(sent)"]).status == 202)
        await page.server.stop()
        await self.page.server.stop()
    }

    @Test func `on loopback too, nobody steers or sees frames without the token`() async throws {
        page.feed.publish(Export("one").start())
        for path in ["cancel", "stop", "mark", "pause", "resume", "erase"] {
            #expect(try await client.ask("POST", "/activities/one/\(path)").status == 403, "\(path)")
            let wrong = ["Authorization": "Bearer x", "Cookie": "rushes-\(client.port)=y; rushes-0=z"]
            #expect(try await client.ask("POST", "/activities/one/\(path)?token=", wrong).status == 403, "\(path)")
        }
        for path in ["thumbnail", "controls", "result"] {
            #expect(try await client.ask("GET", "/activities/one/\(path)").status == 403, "\(path)")
        }
        #expect(page.wishes.withLock { $0 } == [])
        #expect(try await client.ask("POST", "/activities/one/stop", page.bearer).status == 202)
        await page.server.stop()
    }

    @Test func `the cookie is the server's own word, whatever the link says`() async throws {
        let token = page.server.token.text
        let moved = try await client.ask("GET", "/?token=\(token)")
        let words = try #require(moved.headers["set-cookie"]).split(separator: ";")
        let cookie = String(try #require(words.first))
        for link in [
            "bad%0d%0aX-Injected:%20yes", "bad%0aX-Injected:%20yes", "bad%0dX-Injected:%20yes", "x;%20Domain=evil",
            "", "%00", token + "%0d%0aX-Injected:%20yes",
        ] {
            for place in ["/", "/activities/a%0d%0aX-Injected:%20yes"] {
                let answer = try await client.ask("GET", "\(place)?token=\(link)", ["Cookie": cookie])
                #expect(answer.status == 303, "\(link)")
                #expect(answer.headers["x-injected"] == nil, "\(link)")
                #expect(answer.headers["set-cookie"] == moved.headers["set-cookie"], "\(link)")
                #expect(answer.headers.values.allSatisfy { !$0.contains("evil") && !$0.contains("\r") }, "\(link)")
            }
        }
        await page.server.stop()
    }

    @Test func `a taken port is said, with the cure`() async throws {
        let address = await page.server.address
        let other = PageServer(
            feed: ActivityFeed(), address: address, offers: { _ in [] }, control: { _, _ in })
        let error = await #expect(throws: RushesError.self) { try await other.start() }
        #expect(error?.description.contains("is in use") == true)
        #expect(
            error?.code == .addressUnavailable && error?.subject == "\(address)"
                && error?.underlying as? Errno == .addressInUse)
        await page.server.stop()
    }
}
