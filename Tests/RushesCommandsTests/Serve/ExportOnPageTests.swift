import Foundation
import TestSupport
import Testing

/// The page while a real export runs in another process, in a real browser. Frames of it stay in `.build/screenshots`.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "chromium", package: "chromium")) struct ExportOnPageTests {
    private let folder: TemporaryFolder
    private var environment: [String: String?] { ["XDG_STATE_HOME": folder.file("state")] }

    init() throws { folder = try TemporaryFolder() }

    private static let card = "document.querySelector('.activity')"
    /// How much of the ring is drawn, in hundredths.
    private static let ring =
        "Number(getComputedStyle(document.querySelector('.activity .arc')).strokeDasharray.match(/[0-9.]+/)[0])"
    /// Whether it has stood still for two seconds: it glides to where it belongs, and frames that were under way still count.
    private static let stands = """
        (() => {
            const ring = \(ring)
            if (window.ringBefore !== ring) [window.ringBefore, window.ringSince] = [ring, performance.now()]
            return performance.now() - window.ringSince > 2000
        })()
        """
    private static let frame = "document.querySelector('.activity .thumbnail').src"

    private func serve(_ address: String) async throws -> (command: RunningCommand, link: String) {
        let command = try BuiltCommand.rushes.start(["serve", "--listen", address], environment: environment)
        for await line in command.lines { return (command, line) }
        throw ToolError.failed(try await command.result(within: .seconds(60)))
    }

    @Test func `the ring moves, the frame changes, a pause holds it, and a lost page goes on without a gap`()
        async throws
    {
        // Half a minute of it, so that there is time to look.
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-stream_loop", "2", "-i", Checkout.clip, "-map", "0:v", "-c", "copy",
                folder.file("half.mp4"),
            ])
        // An address of the test's own: whoever else listens or connects may not get the port between the two servers.
        let (first, link) = try await serve("127.0.0.2:0")
        let browser = try BrowserPage()
        try await browser.resize(width: 390, height: 844)
        try await browser.open(link)
        let export = try BuiltCommand.rushes.start(
            [
                "transcode", "half.mp4", "--output", "small.mp4", "--preset", "h264", "--size", "640x360",
                "--reencode", "--progress", "none",
            ], environment: environment, folder: folder.path)
        try await browser.waitUntil("\(Self.card)?.dataset.phase == 'running'")
        // A held export makes no frames, so the first one comes before the pause.
        try await browser.waitUntil("document.querySelector('.activity .thumbnail').naturalWidth == 320")
        _ = try await browser.evaluate("document.querySelector('.summary').click()")
        try await browser.waitUntil("document.querySelector('.controls .pause') != null")
        _ = try await browser.evaluate("document.querySelector('.controls .pause').click()")
        try await browser.waitUntil("\(Self.card).dataset.phase == 'paused'")
        try await browser.waitUntil(Self.stands)
        let (held, frame) = (try await browser.evaluate(Self.ring), try await browser.evaluate(Self.frame))
        for (width, height) in [(320, 568), (390, 844), (1280, 800)] {
            try await browser.resize(width: width, height: height, scale: 2)
            try await browser.screenshot("\(width)-export")
        }

        // The page's server is gone for a moment, and the page is loaded again: it stands as it stood.
        first.signal(SIGKILL)
        try await browser.waitUntil("document.body.classList.contains('disconnected')")
        let port = try #require(link.firstMatch(of: #/:(\d+)\//#)).1
        let (second, again) = try await serve("127.0.0.2:\(port)")
        try await browser.waitUntil("!document.body.classList.contains('disconnected')")
        try await browser.open(again)
        try await browser.waitUntil("\(Self.card)?.dataset.phase == 'paused'")
        try await browser.waitUntil(Self.stands)
        // What was under way at the pause may have been told after it stood.
        let before = try #require(held.flatMap { Double($0) })
        let after = try #require(try await browser.evaluate(Self.ring).flatMap { Double($0) })
        #expect((before..<100).contains(after))

        try await browser.waitUntil("document.querySelector('.controls .resume') != null")
        _ = try await browser.evaluate("document.querySelector('.controls .resume').click()")
        try await browser.waitUntil("\(Self.ring) > \(after)")
        try await browser.waitUntil("\(Self.frame) != '\(frame ?? "")'")
        try await browser.waitUntil("\(Self.card).dataset.phase == 'finished'", seconds: 600)
        #expect(try await export.result(within: .seconds(60)).status == 0)
        try await browser.waitUntil("\(Self.ring) == 100")
        try await browser.screenshot("1280-export-done")
        let size = try await browser.evaluate(
            "fetch(document.querySelector('.open').href).then(answer => answer.blob()).then(movie => movie.size)")
        let file = try FileManager.default.attributesOfItem(atPath: folder.file("small.mp4"))
        #expect(size == (file[.size] as? Int).map(String.init))
        second.signal(SIGINT)
        #expect(try await second.result(within: .seconds(60)).status == 0)
    }
}
