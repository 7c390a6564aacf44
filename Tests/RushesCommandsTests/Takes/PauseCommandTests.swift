import Foundation
import TestSupport
import Testing

/// `rushes control ID pause`, and the space bar.
@Suite(.timeLimit(.minutes(25)), .turn) struct PauseCommandTests {
    private let folder: TemporaryFolder
    private let journal: [String: String?]

    init() throws {
        folder = try TemporaryFolder()
        journal = ["XDG_STATE_HOME": folder.file("state")]
    }

    private func record(_ name: String) throws -> RunningCommand {
        try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json", "--codec", "h264", name], environment: journal, folder: folder.path)
    }

    private func control(_ id: String, _ wish: String) async throws {
        let result = try await BuiltCommand.rushes.run(
            ["control", id, wish], environment: journal, folder: folder.path)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    }

    @Test func `a recording is paused and goes on from elsewhere, and only what was recorded counts`() async throws {
        let take = try record("take.mov")
        var (phases, paused): ([String], [Double]) = ([], [])
        for await line in take.lines {
            let event = try Event(line)
            let (phase, time) = (event.state.phase, event.state.mediaTime ?? 0)
            if phases.last != phase { phases.append(phase) }
            if phase == "running", phases.count == 1, time > 1 { try await control(event.id, "pause") }
            if phase == "paused" {
                paused.append(time)
                // Two seconds of a pause.
                if paused.count == 4 { try await control(event.id, "resume") }
            }
            if phase == "running", phases.count == 3, time > 2 { try await control(event.id, "stop") }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(phases == ["running", "paused", "running", "finishing", "finished"])
        #expect((paused.max() ?? 9) - (paused.min() ?? 0) < 0.2)
        try await FFmpeg.decode(folder.file("take.mov"))
        let times = try await FFProbe.frames("v:0", of: folder.file("take.mov")).compactMap(\.ptsTime?.value)
        let longest = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 1
        #expect(longest < 0.05, "\(times)")
    }

    @Test func `killed in a pause, what was recorded before it plays, and is completed`() async throws {
        let take = try record("killed.mov")
        var pauses = 0
        for await line in take.lines {
            let event = try Event(line)
            if event.state.phase == "running", event.state.mediaTime ?? 0 > 2 { try await control(event.id, "pause") }
            if event.state.phase == "paused" { pauses += 1 }
            if pauses == 5 { break }
        }
        take.signal(SIGKILL)
        _ = try await take.result(within: .seconds(60))
        let recovered = try await BuiltCommand.rushes.run(
            ["recover", "killed.mov"], environment: journal, folder: folder.path)
        #expect(recovered.status == 0, "\(recovered)")
        try await FFmpeg.decode(folder.file("killed.mov"))
        let times = try await FFProbe.frames("v:0", of: folder.file("killed.mov")).compactMap(\.ptsTime?.value)
        #expect(times.count > 30, "\(times.count) frames of more than two seconds")
    }

    @Test func `stopped in a pause, it ends where it was paused; keys of the terminal do it`() async throws {
        let result = try await Tool.run(
            Checkout.script("lib/at-terminal"),
            [
                "0:01", "m", "Marked", " ", "Paused at", " ", "Recording again", "", "0:02", " ", "Paused at", "q",
                "--",
                try BuiltCommand.rushes.path, "record",
                "--camera", "test:pattern=ball,size=320x240,rate=30", "--microphone", "test", "--codec", "h264",
                folder.file("keys.mov"),
            ])
        #expect(result.status == 0, "\(result)")
        #expect(
            result.text.matches(of: #/Paused at 0:0\d\.\d\./#).count == 2
                && result.text.contains("(space pauses, m marks, q stops)"))
        try await FFmpeg.decode(folder.file("keys.mov"))
    }
}
