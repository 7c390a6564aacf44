import Foundation
import TestSupport
import Testing

/// A real take on a private desktop.
@Suite(.timeLimit(.minutes(25)), .turn, .requiresDesktop) struct DesktopTakeTests {
    private static let take = [
        "record", "--camera", "test:size=320x240,rate=10", "--microphone", "none", "--codec", "h264", "--json",
        "take.mp4",
    ]

    @Test func `a take shows a notification, keeps the machine awake, and lets go at its end`() async throws {
        let folder = try TemporaryFolder()
        let servers = try await Servers.start(.desktop)
        let stub = try RunningCommand(Checkout.script("lib/desktop-stub"), environment: servers.environment)
        for await line in stub.lines where line == "ready" { break }
        let take = try BuiltCommand.rushes.start(
            Self.take, servers: servers, environment: ["XDG_STATE_HOME": folder.path], folder: folder.path)
        // The job's first update is sent once its path is known.
        var missing: Set = ["Inhibit", "update"]
        for await line in stub.lines {
            if line.hasPrefix(#"["Inhibit""#) { #expect(line.contains("Recording: take.mp4")) }
            missing = missing.filter { !line.hasPrefix("[\"\($0)\"") }
            if missing.isEmpty { break }
        }
        var shown = "0"
        while shown == "0" {
            shown = try await Tool.succeed("dunstctl", ["count", "displayed"], environment: servers.environment).text
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        // The person presses the button of the job in the tracker: the take is stopped, and complete.
        stub.write("cancel\n")
        #expect(try await take.result(within: .seconds(60)).status == 0)
        var received: [String] = []
        for await line in stub.lines {
            received.append(line)
            if received.contains(where: { $0.contains("released") }),
                received.contains(where: { $0.contains("terminate") })
            {
                break
            }
        }
        #expect(received.contains(#"["terminate", 0, "", {}]"#))
        try await FFmpeg.decode(folder.file("take.mp4"))
        stub.closeInput()
        try await servers.stop()
    }

    @Test func `a click on the end opens the movie, though the take's process is gone`() async throws {
        let folder = try TemporaryFolder()
        let servers = try await Servers.start(.desktop)
        // The person's own choice for every file, by the XDG MIME applications specification.
        let applications = folder.file("data/applications")
        try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
        try
            "[Desktop Entry]\nType=Application\nName=Player\nExec=touch \(folder.file("opened")) %u\nMimeType=video/mp4;\n"
            .write(toFile: "\(applications)/player.desktop", atomically: true, encoding: .utf8)
        try "[Default Applications]\nvideo/mp4=player.desktop\n"
            .write(toFile: "\(applications)/mimeapps.list", atomically: true, encoding: .utf8)
        let environment = ["XDG_STATE_HOME": folder.path, "XDG_DATA_HOME": folder.file("data")]
        let take = try BuiltCommand.rushes.start(
            Self.take + ["--duration", "3"], servers: servers, environment: environment, folder: folder.path)
        // Its output is closed with its end: what stays for the click holds nothing of it.
        #expect(try await take.result(within: .seconds(60)).status == 0)
        while !FileManager.default.fileExists(atPath: folder.file("opened")) {
            _ = try await Tool.succeed("dunstctl", ["action", "0"], environment: servers.environment)
        }
        try await servers.stop()
    }

    @Test func `a bus that dies in the middle of a take does not touch it`() async throws {
        let folder = try TemporaryFolder()
        let servers = try await Servers.start(.desktop)
        let take = try BuiltCommand.rushes.start(
            Self.take, servers: servers, environment: ["XDG_STATE_HOME": folder.path], folder: folder.path)
        for await line in take.lines where line.contains("update") { break }
        kill(try #require(servers.pid("DBUS_PID")), SIGKILL)
        for await line in take.lines where line.contains("update") { break }
        take.signal(SIGINT)
        #expect(try await take.result(within: .seconds(60)).status == 0)
        try await FFmpeg.decode(folder.file("take.mp4"))
    }
}
