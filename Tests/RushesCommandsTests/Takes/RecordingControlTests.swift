import Foundation
import TestSupport
import Testing

/// `rushes control ID` with a pause, a resume or a mark, and the keys of the terminal.
@Suite(.timeLimit(.minutes(25)), .turn) struct RecordingControlTests {
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
        let result = try await run(["control", id, wish])
        #expect(result.status == 0 && result.errors.split(separator: "\n").count == 1, "\(result)")
    }

    private func run(_ arguments: [String]) async throws -> ToolResult {
        try await BuiltCommand.rushes.run(arguments, environment: journal, folder: folder.path)
    }

    private func activities() async throws -> [Event] { try Event.all(try await run(["activities", "--json"]).text) }

    /// A recording without end, once it has begun.
    private func begin(_ name: String) async throws -> RunningCommand {
        let take = try record(name)
        for await line in take.lines where try Event(line).event == "update" { break }
        return take
    }

    @Test func `a recording is paused and goes on from elsewhere, and only what was recorded counts`() async throws {
        let take = try record("take.mov")
        var isStopped = false
        var (phases, paused): ([String], [Double]) = ([], [])
        for await line in take.lines {
            let event = try Event(line)
            let (phase, time) = (event.state.phase, event.state.mediaTime ?? 0)
            if phases.last != phase { phases.append(phase) }
            if phase == "running", phases.count == 1, time > 1 { try await control(event.id, "pause") }
            if phase == "paused" {
                paused.append(time)
                // More than two seconds of a pause.
                if paused.count == 5 { try await control(event.id, "resume") }
            }
            // Once, however late its events come.
            if phase == "running", phases.count == 3, time > 2, !isStopped {
                isStopped = true
                try await control(event.id, "stop")
            }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(phases == ["running", "paused", "running", "finishing", "finished"])
        // Frames from before the pause may still come as it is told.
        let still = paused.dropFirst(2)
        #expect((still.max() ?? 9) - (still.min() ?? 0) < 0.05, "\(paused)")
        try await FFmpeg.decode(folder.file("take.mov"))
        let times = try await FFProbe.frames("v:0", of: folder.file("take.mov")).compactMap(\.ptsTime?.value)
        let longest = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 1
        let dropped = try #require(try Event.all(result.text).last).state.framesDropped ?? 0
        #expect(longest < 0.05 || dropped > 0, "\(times)")
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
                "0:0[1-9]|0:[1-5][0-9]", "m", "Marked", "a", "is muted.", "a", "is no longer muted.", " ",
                // The bar's time is another than that of the pause, whichever that was.
                "Paused", " ", #"(?s) at \d+:(\d\d)\..*?Recording again.*? \d+:(?!\1)\d\d"#, " ", "Paused at", "q",
                "--",
                try BuiltCommand.rushes.path, "record",
                "--camera", "test:pattern=ball,size=320x240,rate=30", "--microphone", "test", "--codec", "h264",
                folder.file("keys.mov"),
            ], limit: .seconds(600))
        #expect(result.status == 0, "\(result)")
        #expect(
            result.text.matches(of: #/Paused at \d+:\d\d\.\d\./#).count == 2
                && result.text.contains(
                    "Keys: q stops, space pauses, m marks a chapter, p takes a photo, a mutes, n starts the next file.")
        )
        try await FFmpeg.decode(folder.file("keys.mov"))
    }

    @Test func `levels alone end at a signal, and are given no other end`() async throws {
        let result = try await BuiltCommand.rushes.run(
            ["record", "--meter", "--microphone", "test", "--duration", "1"], limit: .seconds(30))
        #expect(result.status == 64 && result.errors.contains("leave --duration out"), "\(result)")
    }

    @Test(arguments: [["metered.mov", "--camera", "test"], []])
    func `q ends a meter, and nothing is recorded`(more: [String]) async throws {
        let result = try await Tool.run(
            Checkout.script("lib/at-terminal"),
            ["-9 dB", "q", "--", try BuiltCommand.rushes.path, "record", "--meter", "--microphone", "test"] + more,
            limit: .seconds(300), folder: folder.path)
        #expect(result.text.contains("q or Ctrl-C to ") && folder.contents.isEmpty, "\(result)")
        #expect(result.status == (more.isEmpty ? 0 : 1), "\(result)")
    }

    @Test func `with a meter, nothing is recorded before Return`() async throws {
        let result = try await Tool.run(
            Checkout.script("lib/at-terminal"),
            [
                "-9 dB", "\n", "0:0[1-9]|0:[1-5][0-9]", "q", "--", try BuiltCommand.rushes.path, "record", "--meter",
                "--camera", "test:pattern=ball,size=320x240,rate=30", "--microphone", "test", "--codec", "h264",
                folder.file("metered.mov"),
            ], limit: .seconds(600))
        #expect(result.status == 0, "\(result)")
        let parts = result.text.components(separatedBy: "Recording \(folder.file("metered.mov"))")
        #expect(parts.count == 2 && parts[0].contains("Press Return to record"), "\(result)")
        #expect(parts[0].contains("-9 dB"))
        try await FFmpeg.decode(folder.file("metered.mov"))
    }

    @Test func `marks that are made in the pause that a recording ends in are its last chapters`() async throws {
        let take = try await begin("take.mov")
        let id = try #require(try await activities().first).id
        try await control(id, "pause")
        for await line in take.lines where try Event(line).state.phase == "paused" { break }
        for name in ["First", "Second", "Third"] { _ = try await run(["control", id, "mark", name]) }
        try await control(id, "stop")
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0 && result.errors.contains(": Third\n"), "\(result)")
        let report = try await FFProbe.inspect(folder.file("take.mov"))
        #expect(report.chapters?.map { $0.tags?["title"] } == ["First", "Second", "Third"])
        // They make it no longer.
        let end = try #require(try Event.all(result.text).last?.state.mediaTime)
        #expect(abs((report.format.duration?.value ?? 0) - end) < 0.005, "\(report)")
    }

    @Test func `marks made while recording are the movie's chapters`() async throws {
        let take = try await begin("take.mov")
        let id = try #require(try await activities().first).id
        // The page asks without a name, and spaces are none.
        for name in [["Bären & \"Bienen\""], [], ["  "]] {
            let marked = try await run(["control", id, "mark"] + name)
            #expect(marked.status == 0 && marked.text.isEmpty, "\(marked)")
            let hasName = name.first?.contains("B") == true
            let words = hasName ? "Marked “\(name[0])” in take.mov.\n" : "Set a mark in take.mov.\n"
            #expect(marked.errors == words)
        }
        let refused = try await run(["control", id, "stop", "now"])
        #expect(
            refused.status == 64
                && refused.errors.hasPrefix(
                    "rushes: Only mark, mute, unmute, layout, show, switch, snapshot, save and set take an argument; leave out 'now'."
                ),
            "\(refused)")
        let none = try await run(["control", id, "layout"])
        #expect(none.status == 64 && none.errors.contains("Say which layout: side-by-side"), "\(none)")
        let second = try await begin("take.mkv")
        let other = try #require(try await activities().first { $0.attributes?.title == "take.mkv" }).id
        #expect(
            try await run(["control", other, "mark"]).errors
                == "rushes: take.mkv cannot be asked to mark; it accepts pause, resume, stop, split, switch, snapshot, mute, unmute and set. "
                + "Recordings to .mov and .mp4 keep marks.\n"
        )
        for take in [take, second] {
            take.signal(SIGINT)
            let result = try await take.result(within: .seconds(60))
            #expect(result.status == 0, "\(result)")
            guard take.pid != second.pid else { continue }
            #expect(result.errors.contains(": Bären & \"Bienen\"\n") && result.errors.contains(": Chapter 2\n"))
        }
        let chapters = try await FFProbe.inspect(folder.file("take.mov")).chapters ?? []
        #expect(chapters.map { $0.tags?["title"] } == ["Bären & \"Bienen\"", "Chapter 2", "Chapter 3"])
        // Where the first one was made, and not where the movie begins.
        let told = take.errors.firstMatch(of: #/Marked 0:(\d\d\.\d): /#).flatMap { Double($0.1) } ?? -1
        #expect(told > 0 && abs((chapters.first?.startTime.value ?? 0) - told) < 0.11)
        try await FFmpeg.decode(folder.file("take.mov"))
    }
}
