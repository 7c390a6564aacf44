import Foundation
import TestSupport
import Testing

/// `rushes record --rotation auto` on a machine that is turned.
@Suite(.timeLimit(.minutes(25)), .turn) struct MachineRotationTests {
    private let folder: TemporaryFolder
    private let journal: [String: String?]

    init() throws {
        folder = try TemporaryFolder()
        journal = ["XDG_STATE_HOME": folder.file("state")]
    }

    private func rotation(_ name: String) async throws -> Double {
        try await FFmpeg.decode(folder.file(name))
        return try await MediaInfo.inspect(folder.file(name)).video.first?.number("Rotation") ?? 0
    }

    @Test(.requires(tool: "umockdev-run", package: "umockdev"))
    func `a movie keeps the angle that it began with, and a photo has that of its instant`() async throws {
        let servers = try await Servers.start(.accelerometer)
        let environment = servers.environment.merging(journal) { $1 }
        try await servers.turn(to: "left-up")
        let take = try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json", "--codec", "h264", "--rotation", "auto", "--standby", "take.mov"],
            environment: environment, folder: folder.path)
        // Armed on its side, begun upside down, and turned on while it runs.
        try await servers.turn(to: "bottom-up")
        let armed = ContinuousClock.now
        var (asked, turned): (Set<String>, ContinuousClock.Instant?) = ([], nil)
        func control(_ event: Event, _ words: String...) async throws {
            guard asked.insert(words[0]).inserted else { return }
            let result = try await BuiltCommand.rushes.run(
                ["control", event.id] + words, environment: journal, folder: folder.path)
            #expect(result.status == 0, "\(result)")
        }
        for await line in take.lines {
            let event = try Event(line)
            // The service looks every 0.7 seconds.
            if event.state.phase == "waiting", armed.duration(to: .now) > .seconds(3) {
                try await control(event, "start")
            }
            guard event.state.phase == "running" else { continue }
            if turned == nil {
                try await servers.turn(to: "right-up")
                turned = .now
            }
            if let turned, turned.duration(to: .now) > .seconds(3) {
                try await control(event, "snapshot", folder.file("photo.jpg"))
            }
            if event.state.message?.hasPrefix("Photo") == true { try await control(event, "stop") }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(try await rotation("take.mov") == 180)
        // EXIF's 6: a quarter clockwise.
        let tags = try await Tool.succeed("exiftool", ["-n", "-Orientation", "-s3", folder.file("photo.jpg")])
        #expect(tags.text.trimmingCharacters(in: .whitespacesAndNewlines) == "6", "\(tags)")

        let once = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + ["--codec", "h264", "--rotation", "auto", "--duration", "0.5", "once.mov"],
            environment: environment, folder: folder.path)
        #expect(once.status == 0, "\(once)")
        #expect(try await rotation("once.mov") == 90)
        try await servers.stop()
    }

    @Test func `a machine without an accelerometer records as the camera stands, and says so`() async throws {
        let result = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + ["--codec", "h264", "--rotation", "auto", "--duration", "0.5", "take.mov"],
            environment: journal, folder: folder.path)
        #expect(result.status == 0 && result.errors.contains("No accelerometer"), "\(result)")
        #expect(try await rotation("take.mov") == 0)
    }

    @Test func `what cannot be turned is refused`() async throws {
        for (options, words) in [
            (["--camera", "none", "take.mov"], "there is no camera"), (["take.mkv"], "name the file .mov or .mp4"),
            (["--camera", "test,rotate=90", "take.mov"], "use one or the other"),
            (["--rotation", "45", "take.mov"], "--rotation"),
        ] {
            let result = try await BuiltCommand.rushes.run(
                ["record", "--rotation", "auto"] + options, environment: journal, folder: folder.path)
            #expect(result.status == 64 || result.status == 1)
            #expect(
                result.errors.contains(words) && folder.contents.filter { $0.hasPrefix("take") }.isEmpty, "\(result)")
        }
    }
}
