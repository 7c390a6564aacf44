import Foundation
import TestSupport
import Testing

/// `rushes record --preview` on a private X server.
@Suite(.timeLimit(.minutes(25)), .turn, .requiresDesktop) struct PreviewTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let line = [
        "record", "--camera", "test:pattern=white,size=320x240,rate=15", "--microphone", "test", "--codec", "h264",
        "--preview",
        "--json", "--progress", "none", "take.mov",
    ]

    @Test func `a window shows what is recorded, and who closes it ends nothing`() async throws {
        let servers = try await Servers.start(.desktop)
        let take = try BuiltCommand.rushes.start(
            line, servers: servers, environment: ["XDG_STATE_HOME": folder.path], folder: folder.path)
        var (isShown, isClosed, isStopped, closedAt) = (false, false, false, 0.0)
        for await line in take.lines {
            let event = try Event(line)
            guard event.state.phase == "running" else { continue }
            let time = event.state.mediaTime ?? 0
            if !isShown {
                isShown = try await light(servers) > 200
            } else if !isClosed {
                let window = try await Tool.succeed("pgrep", ["-P", "\(take.pid)", "gst-launch"])
                _ = try await Tool.succeed("kill", [window.text.filter(\.isNumber)])
                (isClosed, closedAt) = (true, time)
            } else if time > closedAt + 1, !isStopped {
                // Once, however many events are behind this one: a second interrupt is another wish.
                isStopped = true
                take.signal(SIGINT)
            }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0 && isClosed, "\(result)")
        try await FFmpeg.decode(folder.file("take.mov"))
        try await servers.stop()
    }

    /// Mean luma of the screen's upper left corner.
    private func light(_ servers: Servers) async throws -> Int {
        let shot = try await Tool.succeed(
            "import", ["-window", "root", "-crop", "100x100+50+50", "-resize", "1x1!", "-depth", "8", "gray:-"],
            environment: servers.environment)
        return Int(shot.output.first ?? 0)
    }

    @Test func `without a display it is refused, and there is no file`() async throws {
        let environment: [String: String?] = ["DISPLAY": nil, "WAYLAND_DISPLAY": nil, "XDG_STATE_HOME": folder.path]
        let result = try await BuiltCommand.rushes.run(line, environment: environment, folder: folder.path)
        #expect(result.status == 1 && result.errors.contains("There is no display to show a preview on"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("take.mov")))
    }
}
