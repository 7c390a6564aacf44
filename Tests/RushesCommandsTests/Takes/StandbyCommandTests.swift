import Foundation
import TestSupport
import Testing

/// `rushes record --standby`, `rushes control ID start` and `save`: what was seen before somebody asked for it.
@Suite(.timeLimit(.minutes(25)), .turn) struct StandbyCommandTests {
    private let folder: TemporaryFolder
    private let journal: [String: String?]

    init() throws {
        folder = try TemporaryFolder()
        journal = ["XDG_STATE_HOME": folder.file("state")]
    }

    private func record(_ options: [String], sources: [String] = Takes.small) throws -> RunningCommand {
        try BuiltCommand.rushes.start(
            ["record"] + sources + ["--json", "--codec", "h264", "--standby"] + options, environment: journal,
            folder: folder.path)
    }

    @discardableResult
    private func control(_ id: String, _ words: String...) async throws -> ToolResult {
        let result = try await BuiltCommand.rushes.run(
            ["control", id] + words, environment: journal, folder: folder.path)
        #expect(result.status == 0, "\(result)")
        return result
    }

    private func seconds(_ name: String) async throws -> Double {
        try await FFmpeg.decode(folder.file(name))
        return Double(try await FFmpeg.audio(of: folder.file(name), rate: 48_000).count) / 48_000
    }

    @Test func `the frames before the start are in the movie and in what is saved, each once`() async throws {
        let camera = try NumberedFrames.camera(seconds: 60, in: folder)
        let take = try record(
            ["--pre-roll", "3s", "--replay", "4s", "take.mov"],
            sources: ["--camera", camera, "--microphone", "test", "--progress", "none"])
        var (phases, asked, isPrompt): ([String], Set<String>, Bool) = ([], [], false)
        func once(_ wish: String) -> Bool { asked.insert(wish).inserted }
        for await line in take.lines {
            let event = try Event(line)
            let (phase, time) = (event.state.phase, event.state.mediaTime ?? 0)
            if phases.last != phase { phases.append(phase) }
            if phase == "waiting", event.state.elapsed > 5, once("start") {
                #expect(!folder.contents.contains("take.mov"))
                let begin = ContinuousClock.now
                try await control(event.id, "save", "2s")
                try await control(event.id, "start")
                isPrompt = begin.duration(to: .now) < .seconds(3)
            }
            if phase == "running", time > 5, once("save") {
                try await control(event.id, "save", "4", "goal.mov")
                let twice = try await BuiltCommand.rushes.run(
                    ["control", event.id, "save", "4", "goal.mov"], environment: journal, folder: folder.path)
                let goal = folder.file("goal.mov")
                #expect(twice.status == 1, "\(twice)")
                #expect(twice.errors == "rushes: \(goal) already exists; choose another name.\n", "\(twice)")
            }
            if event.state.message?.hasPrefix("Saved \(folder.file("goal.mov"))") == true, once("stop") {
                try await control(event.id, "stop")
            }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(phases == ["waiting", "running", "finishing", "finished"])
        let last = try #require(try Event.all(result.text).last).state
        var all: [String: [Int]] = [:]
        for (name, least) in [("take.mov", 50), ("take – replay.mov", 20), ("goal.mov", 40)] {
            let numbers = try await NumberedFrames.numbers(in: folder.file(name))
            let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
            // What a busy machine's encoder dropped is told.
            #expect(steps.allSatisfy { $0 == 1 } || last.framesDropped ?? 0 > 0, "\(name): \(numbers)")
            // The numbers are times.
            let span = (numbers.last ?? 0) - (numbers.first ?? 0) + 1
            #expect(span >= least, "\(name): \(numbers)")
            // With a key frame, and the audio with the frames.
            #expect(try await FFProbe.packets("v:0", of: folder.file(name)).first?.flags?.hasPrefix("K") == true)
            let audio = try await seconds(name)
            #expect(abs(audio - Double(span) / 10) < 0.15, "\(name): \(audio) s, \(span) frames")
            all[name] = numbers
        }
        #expect(last.framesWritten == all["take.mov"]?.count && last.fileIsGood == true)
        // What was saved before the start overlaps what the movie begins with, unless the start was asked for later than its three seconds.
        #expect(!isPrompt || !Set(all["take.mov"] ?? []).isDisjoint(with: all["take – replay.mov"] ?? []))
        #expect(
            Set(all["goal.mov"] ?? []).isSubset(of: Set((all["take – replay.mov"] ?? []) + (all["take.mov"] ?? []))))
    }

    @Test func `keys of the terminal start it, and it lasts as long as was said from there`() async throws {
        let result = try await Tool.run(
            Checkout.script("lib/at-terminal"),
            [
                "Ready to record", "m", "Return or r starts", "\r", "--", try BuiltCommand.rushes.path, "record",
                "--standby", "--pre-roll", "0", "--duration", "1s", "--camera",
                "test:pattern=ball,size=320x240,rate=30",
                "--microphone", "test", "--codec", "h264", folder.file("keys.mov"),
            ], limit: .seconds(600))
        #expect(result.status == 0 && result.text.contains("time limit reached"), "\(result)")
        let frames = try await FFProbe.packets("v:0", of: folder.file("keys.mov")).count
        // What a busy machine's encoder dropped is told; what it had not encoded yet when it was started lies before that second.
        let dropped = result.text.firstMatch(of: /(\d+) frames? dropped/).flatMap { Int($0.1) } ?? 0
        let lasts = try await seconds("keys.mov")
        #expect((0.95..<2).contains(lasts), "\(result)")
        #expect(abs(Double(frames + dropped) - lasts * 30) < 2, "\(result)")
    }

    @Test func `what is not started leaves no file, and is no failure`() async throws {
        let take = try record(["--pre-roll", "1s", "take.mkv"])
        for await line in take.lines where try Event(line).event == "update" { break }
        take.signal(SIGINT)
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.hasSuffix("The recording was not started, so there is no movie.\n"))
        let last = try #require(try Event.all(result.text).last)
        #expect(last.event == "end" && last.state.phase == "cancelled")
        #expect(folder.contents == ["state"])
    }

    @Test func `one that keeps nothing is not asked to save, and one that runs not to start`() async throws {
        let take = try record(["take.mov"])
        var (hasAsked, hasStarted) = (false, false)
        for await line in take.lines {
            let event = try Event(line)
            if event.event == "update", event.state.phase == "waiting", !hasAsked {
                hasAsked = true
                let refused = try await BuiltCommand.rushes.run(
                    ["control", event.id, "save", "3s"], environment: journal, folder: folder.path)
                #expect(
                    refused.status != 0
                        && refused.errors
                            == "rushes: take.mov cannot be asked to save; it accepts start, stop, switch, snapshot, mute, unmute and set.\n",
                    "\(refused)")
                try await control(event.id, "start")
            }
            if event.state.phase == "running", !hasStarted {
                hasStarted = true
                let refused = try await BuiltCommand.rushes.run(
                    ["control", event.id, "start"], environment: journal, folder: folder.path)
                #expect(refused.status != 0 && refused.errors.contains("cannot be asked to start"), "\(refused)")
                try await control(event.id, "stop")
            }
        }
        #expect(try await take.result(within: .seconds(60)).status == 0)
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    @Test(arguments: [
        (["record", "--pre-roll", "10s", "take.mov"], "add one, or use --replay to save the last seconds"),
        (["record", "--standby", "--pre-roll", "soon", "take.mov"], "soon"),
        (["record", "--replay", "0.5s", "take.mov"], "--replay is at least one second."),
        (
            ["record", "--standby", "--camera", "test", "--inset", "test", "--also-separate", "take.mov"],
            "--also-separate begins at once; leave --standby and --trigger out."
        ),
        (["control", "1234", "save", "goal.mov"], "'goal.mov' is not a duration; write 30s, say."),
        (
            ["control", "1234", "mark", "Here", "goal.mov"],
            "Only save, snapshot and switch take a second argument; leave out 'goal.mov'."
        ),
    ])
    func `what makes no sense is refused before anything is opened`(arguments: [String], words: String) async throws {
        let result = try await BuiltCommand.rushes.run(arguments, environment: journal, folder: folder.path)
        #expect(result.status == 64 && result.errors.contains(words), "\(result)")
        #expect(folder.contents.isEmpty)
    }
}
