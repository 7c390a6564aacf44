import Foundation
import TestSupport
import Testing

/// `rushes serve` beside a real take in another process.
@Suite(.timeLimit(.minutes(25)), .turn) struct ServeTests {
    private let folder: TemporaryFolder
    private var environment: [String: String?] { ["XDG_STATE_HOME": folder.file("state")] }

    init() throws { folder = try TemporaryFolder() }

    /// With which no export is over before somebody has looked at it: half a second a frame.
    private func slowEncoder() async throws -> [String: String?] {
        ["LD_PRELOAD": try await PreloadedLibrary.build("slow-encoder", in: folder), "SLOW_ENCODER": "500"]
    }

    private func serve(
        _ arguments: String..., by path: String? = nil, with more: [String: String?] = [:]
    ) async throws -> (command: RunningCommand, link: String) {
        let command = try RunningCommand(
            path ?? BuiltCommand.rushes.path, ["serve"] + arguments, environment: environment.merging(more) { $1 })
        for await line in command.lines { return (command, line) }
        throw ToolError.failed(try await command.result(within: .seconds(60)))
    }

    @Test(.requires(tool: "chromium", package: "chromium"))
    func `a take of another process is on the page, is stopped there, and its result can be opened`() async throws {
        let (page, link) = try await serve("--listen", "127.0.0.1:0")
        let browser = try BrowserPage()
        try await browser.resize(width: 390, height: 844)
        try await browser.open(link)
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "test:size=320x240,rate=10", "--microphone", "test", "--codec", "h264",
                "take.mp4",
            ], environment: environment, folder: folder.path)
        try await browser.waitUntil("document.querySelector('.activity')?.dataset.phase == 'running'")
        #expect(try await browser.evaluate("document.querySelector('.title').textContent") == "take.mp4")
        _ = try await browser.evaluate("document.querySelector('.summary').click()")
        try await browser.waitUntil("document.querySelector('.meter').children.length > 0")
        try await browser.waitUntil("document.querySelector('.controls .stop') != null")
        #expect(
            try await browser.evaluate("document.querySelector('.controls').textContent")
                == "PauseMarkPhotoSplitNext cameraMuteStop")
        try await browser.screenshot("390-take")
        // What is muted is told, and the button takes it back.
        let facts = "document.querySelector('.facts').textContent.includes('MicrophoneMuted')"
        _ = try await browser.evaluate("document.querySelector('.controls .mute').click()")
        try await browser.waitUntil("document.querySelector('.controls .unmute') != null && \(facts)")
        try await browser.screenshot("390-muted")
        _ = try await browser.evaluate("document.querySelector('.controls .unmute').click()")
        try await browser.waitUntil("document.querySelector('.controls .mute') != null && !\(facts)")
        _ = try await browser.evaluate("document.querySelector('.stop').click()")
        try await browser.waitUntil("document.querySelector('.activity').dataset.phase == 'finished'")
        #expect(try await take.result(within: .seconds(60)).status == 0)
        try await browser.waitUntil("document.querySelector('.open').checkVisibility()")
        let size = try await browser.evaluate(
            "fetch(document.querySelector('.open').href).then(answer => answer.blob()).then(movie => movie.size)")
        let file = try FileManager.default.attributesOfItem(atPath: folder.file("take.mp4"))
        #expect(size == (file[.size] as? Int).map(String.init))
        page.signal(SIGINT)
        #expect(try await page.result(within: .seconds(60)).status == 0)
    }

    @Test(.requires(tool: "chromium", package: "chromium"), .requires(tool: "cc", package: "gcc libc6-dev"))
    func `a killed take is recovered on the page, and a cancelled export is tried again there`() async throws {
        // What is tried again is run by this path, which env would read as a variable.
        let own = folder.file("a=b")
        try FileManager.default.copyItem(atPath: BuiltCommand.rushes.path, toPath: own)
        let (page, link) = try await serve("--listen", "127.0.0.1:0", by: own)
        let browser = try BrowserPage()
        try await browser.open(link)
        let take = try BuiltCommand.rushes.start(
            ["record", "--camera", "test:size=320x240,rate=10", "--microphone", "none", "--codec", "h264", "take.mp4"],
            environment: environment, folder: folder.path)
        let card = "document.querySelector('.activity')"
        // Its thumbnail stays.
        try await browser.waitUntil("\(card)?.querySelector('.thumbnail').naturalWidth == 320")
        try await browser.waitUntil("\(card).querySelector('.facts').textContent.includes('Size')")
        try await browser.waitUntil(#"/0:0[3-9]|0:[1-5]\d|[1-9]:\d\d/.test(\#(card).textContent)"#)
        take.signal(SIGKILL)
        try await browser.waitUntil("\(card).querySelector('.recover') != null")
        #expect(try await browser.evaluate("\(card).querySelector('.thumbnail').checkVisibility()") == "true")
        _ = try await browser.evaluate("\(card).querySelector('.recover').click()")
        try await browser.waitUntil(
            "\(card).dataset.phase == 'finished' && \(card).querySelector('.open').checkVisibility()")
        try await FFmpeg.decode(folder.file("take.mp4"))
        #expect(try await BuiltCommand.rushes.run(["recover", "take.mp4"], folder: folder.path).status == 1)
        // So it is for whoever asks later, and for the next server.
        let known = try await BuiltCommand.rushes.run(["activities", "--json"], environment: environment)
        let ends = try Event.all(known.text).filter { $0.kind == "recording" }
        #expect(ends.map(\.state.phase) == ["finished"], "\(known)")
        // An update replaces the program below the server.
        try FileManager.default.removeItem(atPath: own)
        try FileManager.default.copyItem(atPath: BuiltCommand.rushes.path, toPath: own)

        let export = try BuiltCommand.rushes.start(
            ["transcode", Checkout.clip, "--output", "a b.mp4", "--preset", "h264", "--reencode", "--json"],
            environment: environment.merging(try await slowEncoder()) { $1 },
            folder: folder.path)
        // What has told of its start is cancelled by a signal, and not killed.
        for await line in export.lines where try Event(line).event == "start" { break }
        export.signal(SIGINT)
        let cancelled = "document.querySelector('[data-kind=transcode][data-phase=cancelled]')"
        #expect(try await export.result(within: .seconds(60)).status == 130)
        try await browser.waitUntil("\(cancelled)?.querySelector('.again') != null")
        _ = try await browser.evaluate("\(cancelled).querySelector('.again').click()")
        try await browser.waitUntil(
            "document.querySelector('[data-kind=transcode][data-phase=finished]') != null", seconds: 300)
        #expect(folder.contents.contains("a b.mp4"))
        page.signal(SIGINT)
        #expect(try await page.result(within: .seconds(60)).status == 0)
    }

    @Test(.requires(tool: "curl", package: "curl"), .requires(tool: "cc", package: "gcc libc6-dev"))
    func `what is asked for on two pages at once is begun again once`() async throws {
        // What the page begins has the page's environment.
        let slow = try await slowEncoder()
        let (page, link) = try await serve("--listen", "127.0.0.1:0", with: slow)
        let bare = link.replacing(#/\?.*/#, with: "")
        let token = try #require(link.firstMatch(of: #/token=(.*)/#).map { String($0.1) })
        let export = [
            "transcode", Checkout.clip, "--output", "small.mp4", "--preset", "h264", "--reencode", "--json",
            "--progress", "none",
        ]
        let first = try BuiltCommand.rushes.start(
            export, environment: environment.merging(slow) { $1 }, folder: folder.path)
        var id: String?
        for await line in first.lines {
            let event = try Event(line)
            if event.event == "start" { id = event.id }
            if event.event == "update" { break }
        }
        first.signal(SIGINT)
        #expect(try await first.result(within: .seconds(60)).status == 130)
        let place = bare + "activities/\(try #require(id))/"
        let known = ["-s", "-H", "Authorization: Bearer \(token)", "-w", " %{http_code}"]
        // Then the page has read of its end.
        let events = try RunningCommand("curl", ["-sN", "-H", "Authorization: Bearer \(token)", bare + "events"])
        for await line in events.lines where line.contains(#""event":"end""#) { break }
        events.signal(SIGTERM)
        #expect(try await Tool.succeed("curl", known + [place + "controls"]).text == #"["again"] 200"#)
        let ask = known + ["-X", "POST", place + "again"]
        async let one = Tool.succeed("curl", ask)
        async let other = Tool.succeed("curl", ask)
        let answers = try await [one.text, other.text].sorted()
        #expect(answers.contains { $0.hasSuffix("Started again.\n 202") }, "\(answers)")
        #expect(answers.contains { $0.hasSuffix(" 409") }, "\(answers)")
        // Nor later, when the page is loaded anew.
        #expect(try await Tool.succeed("curl", known + [place + "controls"]).text == "[] 200")
        #expect(try await Tool.succeed("curl", ask).text.hasSuffix(" 409"))
        // The page answers before the new process has got as far as its journal.
        let deadline = ContinuousClock.now + .seconds(60)
        var second: [Event] = []
        repeat {
            second = try Event.all(
                try await BuiltCommand.rushes.run(["activities", "--json"], environment: environment).text
            ).filter { $0.event != "end" }
        } while second.isEmpty && ContinuousClock.now < deadline
        #expect(second.count == 1, "\(second)")
        for event in second {
            _ = try await BuiltCommand.rushes.run(["control", event.id, "cancel"], environment: environment)
        }
        page.signal(SIGTERM)
        #expect(try await page.result(within: .seconds(60)).status == 0)
    }

    @Test(.requires(tool: "curl", package: "curl"))
    func `a killed take becomes a failed one on the page`() async throws {
        let (page, link) = try await serve("--listen", "127.0.0.1:0")
        let take = try BuiltCommand.rushes.start(
            ["record", "--camera", "test:size=320x240,rate=10", "--microphone", "none", "--codec", "h264", "take.mp4"],
            environment: environment, folder: folder.path)
        let events = try RunningCommand("curl", ["-sN", link.replacing(#/\?.*/#, with: "") + "events"])
        for await line in events.lines {
            if line.contains(#""event":"update""#) { take.signal(SIGKILL) }
            if line.contains(#""event":"end""#) {
                #expect(line.contains(#""phase":"failed""#))
                break
            }
        }
        events.signal(SIGTERM)
        page.signal(SIGTERM)
        #expect(try await page.result(within: .seconds(60)).status == 0)
    }

    @Test func `beyond this machine the link holds a token, without which there is nothing`() async throws {
        let (page, link) = try await serve("--listen", "0.0.0.0:0")
        #expect(link.wholeMatch(of: #/http://[0-9.]+:\d+/\?token=[a-z2-9]{32}/#) != nil, "\(link)")
        let bare = link.replacing(#/\?.*/#, with: "")
        for (address, status) in [(bare, "403"), (bare + "events", "403"), (link, "303")] {
            let answer = try await Tool.succeed("curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", address])
            #expect(answer.text == status, "\(address)")
        }
        page.signal(SIGTERM)
        #expect(try await page.result(within: .seconds(60)).status == 0)
    }

    @Test(.requires(tool: "curl", package: "curl"))
    func `heads without an end neither slow the page down nor make it deaf`() async throws {
        let (page, link) = try await serve("--listen", "127.0.0.1:0")
        let port = try #require(link.firstMatch(of: #/:(\d+)\//#).flatMap { UInt16($0.1) })
        let head = Data("GET / HTTP/1.1\r\nX: ".utf8) + Data(repeating: UInt8(ascii: "a"), count: 5 << 20)
        let sockets = try (0..<4).map { _ in try ClientSocket(port: port) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for socket in sockets {
                group.addTask { try await socket.write(head) }
                group.addTask {
                    let answer = String(decoding: await socket.readToEnd(), as: UTF8.self)
                    #expect(answer.hasPrefix("HTTP/1.1 431 "), "\(answer)")
                }
            }
            try await group.waitForAll()
        }
        let status = ["-s", "-o", "/dev/null", "-w", "%{http_code}"]
        #expect(try await Tool.succeed("curl", status + [link]).text == "303")
        // Of 70 kB the head of another server cost 5.7 s of a processor.
        let fields = try String(contentsOfFile: "/proc/\(page.pid)/stat", encoding: .utf8).split(separator: " ")
        // In hundredths of a second, of the user and of the system.
        let ticks = fields[13...14].map { Int($0) ?? 9900 }
        #expect(ticks.reduce(0, +) < 500)
        page.signal(SIGTERM)
        #expect(try await page.result(within: .seconds(60)).status == 0)
    }

    @Test(.requires(tool: "curl", package: "curl"))
    func `no word of a request gets into a header, and nobody steers without the token`() async throws {
        let (page, link) = try await serve("--listen", "127.0.0.1:0")
        let bare = link.replacing(#/\?.*/#, with: "")
        let jar = folder.file("cookies")
        let first = try await Tool.succeed("curl", ["-s", "-i", "-c", jar, link]).text
        let attack = try await Tool.succeed(
            "curl", ["-s", "-i", "-b", jar, bare + "?token=bad%0d%0aX-Injected:%20yes"]
        ).text
        #expect(attack.hasPrefix("HTTP/1.1 303 ") && !attack.contains("Injected"))
        func cookie(_ answer: String) -> Substring? {
            answer.split(whereSeparator: \.isNewline).first { $0.hasPrefix("Set-Cookie: ") }
        }
        #expect(cookie(first) != nil && cookie(first) == cookie(attack))
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "test:size=320x240,rate=10", "--microphone", "none", "--codec", "h264", "--json",
                "take.mp4",
            ], environment: environment, folder: folder.path)
        var id: String?
        for await line in take.lines where line.contains(#""phase":"running""#) {
            id = line.firstMatch(of: #/"id":"([^"]+)"/#).map { String($0.1) }
            break
        }
        let activity = bare + "activities/" + (try #require(id))
        let status = ["-s", "-o", "/dev/null", "-w", "%{http_code}"]
        for wish in ["cancel", "stop", "mark", "pause"] {
            #expect(try await Tool.succeed("curl", status + ["-X", "POST", "\(activity)/\(wish)"]).text == "403")
        }
        for part in ["thumbnail", "result", "controls"] {
            #expect(try await Tool.succeed("curl", status + ["\(activity)/\(part)"]).text == "403")
        }
        #expect(take.isRunning)
        let token = try #require(link.split(separator: "=").last)
        var answer = ""
        // The page's server learns of a new activity by itself, a moment later.
        while answer != "202", take.isRunning {
            answer = try await Tool.succeed(
                "curl", status + ["-X", "POST", "-H", "Authorization: Bearer \(token)", "\(activity)/stop"]
            ).text
            #expect(["202", "404"].contains(answer))
        }
        #expect(try await take.result(within: .seconds(60)).status == 0)
        page.signal(SIGTERM)
        #expect(try await page.result(within: .seconds(60)).status == 0)
    }

    @Test(arguments: ["8090", "example.org:80", "127.0.0.1:99999", ":80", "1.2.3:80"])
    func `what is no address is wrong usage`(address: String) async throws {
        let result = try await BuiltCommand.rushes.run(["serve", "--listen", address], environment: environment)
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("rushes: --listen cannot be '\(address)'"))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test func `a taken port and an address of another machine are refused in one sentence`() async throws {
        let (page, link) = try await serve("--listen", "127.0.0.1:0")
        let port = try #require(link.firstMatch(of: #/:(\d+)\//#)).1
        for address in ["127.0.0.1:\(port)", "203.0.113.7:8090"] {
            let result = try await BuiltCommand.rushes.run(["serve", "--listen", address], environment: environment)
            #expect(result.status == 1)
            #expect(result.output.isEmpty)
            #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        }
        page.signal(SIGTERM)
        _ = try await page.result(within: .seconds(60))
    }
}
