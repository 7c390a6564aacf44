import Foundation
import TestSupport
import Testing

@testable import RushesCommands

/// SIGINT, SIGTERM and SIGHUP complete the file; a second interrupt gives up waiting.
@Suite(.timeLimit(.minutes(25)), .turn) struct StopSignalTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal completes the file, and none of its timeouts is waited for`(
        signal: Int32
    ) async throws {
        let folder = try TemporaryFolder()
        let take = try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json", "take.mov"], folder: folder.path)
        let stopped = try await stop(take, by: signal)
        let result = try await take.result(within: .seconds(60))
        // They are of ten seconds.
        #expect(stopped.duration(to: .now) < .seconds(9))
        #expect(result.status == 0, "\(result)")
        try await expectComplete(folder.file("take.mov"))
    }

    /// A terminal that is closed, and the end of a session.
    @Test(arguments: [[SIGHUP, SIGHUP], [SIGTERM, SIGHUP], [SIGHUP, SIGTERM]])
    func `signals that come together are one wish, and the file is complete`(signals: [Int32]) async throws {
        let folder = try TemporaryFolder()
        let take = try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json", "take.mov"], folder: folder.path)
        _ = try await stop(take, by: signals[0])
        // Two of one kind that come before anybody looks are one: the first has to have been heard. Others do not wait, as a
        // SIGTERM that comes a second later is another wish.
        if signals[0] == signals[1] {
            for await line in take.lines where try Event(line).state.phase == "finishing" { break }
        }
        take.signal(signals[1])
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        try await expectComplete(folder.file("take.mov"))
    }

    @Test func `what nohup lets it ignore is ignored`() async throws {
        let folder = try TemporaryFolder()
        let take = try RunningCommand(
            "sh",
            ["-c", #"trap "" HUP; exec "$0" "$@""#, try BuiltCommand.rushes.path, "record"] + Takes.small
                + ["--json", "take.mov"], folder: folder.path)
        _ = try await stop(take, by: SIGHUP)
        var seconds = 0.0
        for await line in take.lines {
            seconds = try Event(line).state.mediaTime ?? seconds
            if seconds >= 2.5 { break }
        }
        #expect(seconds >= 2.5)
        take.signal(SIGINT)
        #expect(try await take.result(within: .seconds(60)).status == 0)
        try await expectComplete(folder.file("take.mov"))
    }

    @Test func `a signal before the first frame leaves nothing behind`() async throws {
        let folder = try TemporaryFolder()
        // A source that never delivers; the wait for its first frame must not hold up the end.
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "gst:appsrc caps=video/x-raw,format=I420,width=320,height=240,framerate=30/1",
                "--microphone", "none", "take.mov",
            ], folder: folder.path)
        try await take.catches(SIGINT)
        take.signal(SIGINT)
        let result = try await take.result(within: .seconds(60))
        // Who waits for the first frame says that none has come.
        #expect(folder.contents == [])
        #expect(result.status == 1, "\(result)")
        #expect(result.errors.contains("Stopped before the first frame"), "\(result)")
        Quiet.expect(result.errors)
    }

    @Test func `a camera that stalls does not hold up the end`() async throws {
        let servers = try await Servers.start(.pipeWire, .pulseAudio)
        let camera = try await servers.plugInCamera("cam", "--size", "320x240")
        let folder = try TemporaryFolder()
        let take = try BuiltCommand.rushes.start(
            ["record", "--camera", "cam", "--microphone", "mic0", "--json", "take.mov"], servers: servers,
            folder: folder.path)
        let result = try await stall(take, { camera.signal(SIGSTOP) }, andThen: { camera.signal(SIGCONT) })
        #expect(result.status == 0, "\(result)")
        try await expectComplete(folder.file("take.mov"))
        try await camera.unplug()
    }

    @Test(arguments: ["PULSEAUDIO_PID", "PIPEWIRE_PID"]) func `a server that hangs does not hold up the end`(
        server: String
    ) async throws {
        let servers = try await Servers.start(.pipeWire, .pulseAudio)
        let camera = try await servers.plugInCamera("cam", "--size", "320x240")
        let folder = try TemporaryFolder()
        let take = try BuiltCommand.rushes.start(
            ["record", "--camera", "cam", "--microphone", "mic0", "--json", "take.mp4"], servers: servers,
            folder: folder.path)
        let pid = try #require(servers.pid(server))
        let result = try await stall(take, { kill(pid, SIGSTOP) }, andThen: { kill(pid, SIGCONT) })
        #expect(result.status == 0, "\(result)")
        try await expectComplete(folder.file("take.mp4"))
        try await camera.unplug()
    }

    @Test(.requires(tool: "cc", package: "gcc libc6-dev"))
    func `a second interrupt ends at once with 130, and what there is plays`() async throws {
        let folder = try TemporaryFolder()
        let state = try TemporaryFolder()
        let journal = ["XDG_STATE_HOME": state.path]
        // A disk that does not answer as the movie is completed: that is when a person loses patience.
        let hanging = ["LD_PRELOAD": try await PreloadedLibrary.build("kill-at-call", in: state), "HANG_CALL": "1"]
        let take = try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json", "--codec", "h264", "take.mov"],
            environment: journal.merging(hanging) { $1 }, folder: folder.path)
        try await reach(1.5, take)
        let words = "take.mov was left unfinished: it plays up to its last second, and 'rushes recover' completes it."
        let end = try await interruptTwice(take, journal, saying: words)
        #expect(end.state.fileIsGood == false)
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    /// Two interrupts, of which the second does not wait for the end that hangs: what is left is told, and the journal knows it.
    ///
    /// - Returns: the last event in the journal.
    private func interruptTwice(
        _ command: RunningCommand, _ journal: [String: String], saying words: String
    ) async throws -> Event {
        command.signal(SIGINT)
        // Two that come before anybody looks are one: the first has to have been heard.
        for await line in command.lines where try Event(line).state.phase == "finishing" { break }
        // So are two within 0.3 seconds: it is the time itself that is waited for.
        try await Task.sleep(for: StopSignalFilter.doubled + .milliseconds(50))
        command.signal(SIGINT)
        let result = try await command.result(within: .seconds(60))
        #expect(result.status == 130, "\(result)")
        #expect(result.errors.contains("rushes: \(words)\n"), "\(result)")
        let known = try await BuiltCommand.rushes.run(["activities", "--json"], environment: journal)
        let end = try #require(try Event.all(known.text).last)
        #expect(end.event == "end" && end.state.message == words, "\(known)")
        return end
    }

    @Test(.requires(tool: "cc", package: "gcc libc6-dev"))
    func `a timelapse whose end is not waited for is told too, with what it has`() async throws {
        let folder = try TemporaryFolder()
        let state = try TemporaryFolder()
        let journal = ["XDG_STATE_HOME": state.path]
        let hanging = ["LD_PRELOAD": try await PreloadedLibrary.build("kill-at-call", in: state), "HANG_CALL": "1"]
        let shots = try BuiltCommand.rushes.start(
            ["timelapse", "day.mov", "--every", "100ms", "--camera", "test:size=320x240", "--codec", "h264", "--json"],
            environment: journal.merging(hanging) { $1 }, folder: folder.path)
        for await line in shots.lines where try Event(line).state.completedItems ?? 0 >= 3 { break }
        let words = "day.mov was left unfinished: it plays up to its last shot, and 'rushes recover' completes it."
        let end = try await interruptTwice(shots, journal, saying: words)
        #expect(end.state.bytesWritten ?? 0 > 0)
        try await FFmpeg.decode(folder.file("day.mov"))
    }

    /// Waits until a second is recorded, makes a source stall, and interrupts half a second later.
    private func stall(_ take: RunningCommand, _ stop: () -> Void, andThen resume: () -> Void) async throws
        -> ToolResult
    {
        try await reach(1, take)
        stop()
        defer { resume() }
        try await Task.sleep(for: .milliseconds(500))
        take.signal(SIGINT)
        let begin = ContinuousClock.now
        let result = try await take.result(within: .seconds(60))
        // What hangs does so for ever.
        #expect(begin.duration(to: .now) < .seconds(20))
        return result
    }

    private func stop(_ take: RunningCommand, by signal: Int32) async throws -> ContinuousClock.Instant {
        try await reach(1, take)
        take.signal(signal)
        return .now
    }

    private func reach(_ seconds: Double, _ take: RunningCommand) async throws {
        for await line in take.lines where try Event(line).state.mediaTime ?? 0 >= seconds { return }
        Issue.record("the take ended before: \(take.errors)")
    }

    private func expectComplete(_ file: String) async throws {
        try await FFmpeg.decode(file)
        let info = try await BuiltCommand.rushes.run(["info", "--json", file])
        let facts = try JSONSerialization.jsonObject(with: info.output) as? [String: Any]
        #expect(facts?["complete"] as? Bool == true)
        #expect(facts?["fragmented"] as? Bool == false)
    }
}
