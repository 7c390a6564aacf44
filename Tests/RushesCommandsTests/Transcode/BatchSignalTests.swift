import Foundation
import TestSupport
import Testing

/// A batch that is stopped, held and watched over.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct BatchSignalTests {
    /// What an encoder works at for seconds, so that a signal meets it however late it comes.
    private static let slow = ["--preset", "hevc", "--reencode", "--size", "640x360"]

    @Test func `an interrupt leaves nothing half done, and the rest can be gone on with`() async throws {
        let clips = try await Clips(["a.mp4", "b.mp4", "c.mp4"], duration: 2, settings: Self.slow)
        let batch = try clips.start(["--jobs", "1", "--json", "--progress", "none"])
        for await line in batch.lines where try Event(line).kind == "transcode" { break }
        batch.signal(SIGINT)
        let result = try await batch.result(within: .seconds(300))
        #expect(result.status == 1 && result.errors.contains("Use --resume to continue with the rest."), "\(result)")
        #expect(clips.outputs.count < 3 && clips.leftovers == [])
        let end = try #require(try Event.all(result.text).last { $0.kind == "batch" })
        #expect(end.event == "end" && end.state.phase == "cancelled")
        let rest = try await clips.run(["--resume"], limit: .seconds(300))
        #expect(rest.status == 0 && clips.outputs == ["a.mp4", "b.mp4", "c.mp4"])
        #expect(try clips.records().allSatisfy { $0.completions == 1 })
    }

    @Test func `a doubled interrupt is one`() async throws {
        // Long enough that no encoder is done with it.
        let clips = try await Clips(["a.mp4", "b.mp4"], duration: 60, settings: ["--preset", "hevc", "--reencode"])
        let batch = try clips.start(["--jobs", "1", "--json", "--progress", "none"])
        for await line in batch.lines where try Event(line).kind == "transcode" { break }
        batch.signal(SIGINT)
        batch.signal(SIGINT)
        let result = try await batch.result(within: .seconds(60))
        #expect(result.status == 1, "\(result)")
        #expect(result.errors.contains("0 done, 1 cancelled, 1 left"), "\(result)")
        #expect(result.errors.contains("Use --resume to continue with the rest."), "\(result)")
        let events = try Event.all(result.text)
        for id in Set(events.map(\.id)) {
            let end = events.last { $0.id == id }
            #expect(end?.event == "end" && end?.state.phase == "cancelled", "\(result)")
        }
    }

    @Test func `Ctrl-Z holds a batch, and SIGCONT lets it go on`() async throws {
        let clips = try await Clips(["a.mp4", "b.mp4", "c.mp4"], duration: 2, settings: Self.slow)
        let batch = try clips.start(["--jobs", "1", "--json", "--progress", "none"])
        for await line in batch.lines where try Event(line).kind == "transcode" { break }
        batch.signal(SIGTSTP)
        // As a shell does: it stands still before it is let go on, whatever it has told by then.
        while try Self.state(batch.pid) != "T" { try await Task.sleep(for: .milliseconds(10)) }
        batch.signal(SIGCONT)
        let result = try await batch.result(within: .seconds(300))
        #expect(result.status == 0, "\(result)")
        let phases = try Event.all(result.text).filter { $0.kind == "batch" }.map(\.state.phase)
        let paused = try #require(phases.firstIndex(of: "paused"), "\(phases)")
        #expect(phases[paused...].contains("running") && phases.last == "finished", "\(phases)")
        #expect(clips.outputs == ["a.mp4", "b.mp4", "c.mp4"])
    }

    @Test func `a batch and its files take requests from other processes`() async throws {
        let clips = try await Clips((1...4).map { "\($0).mp4" }, duration: 2)
        let batch = try clips.start(["--jobs", "1", "--json", "--progress", "none", "--size", "1280x720"])
        let rushes = try BuiltCommand.rushes
        func ask(_ id: String, _ request: String) async throws {
            let answer = try await rushes.run(["control", id, request])
            #expect(answer.status == 0, "\(answer)")
        }
        var (whole, held, isAsked) = ("", "", false)
        for await line in batch.lines {
            let event = try Event(line)
            if event.kind == "batch", whole.isEmpty { whole = event.id }
            guard event.kind == "transcode" else { continue }
            // Not before: there would be no file to hold.
            if !isAsked {
                isAsked = true
                try await ask(whole, "pause")
            }
            if held.isEmpty, event.state.phase == "paused" {
                held = event.id
                try await ask(held, "cancel")
            }
            if event.id == held, event.event == "end" {
                #expect(event.state.phase == "cancelled")
                try await ask(whole, "resume")
            }
        }
        let result = try await batch.result(within: .seconds(90))
        #expect(result.status == 1 && result.errors.contains("3 done, 1 cancelled"), "\(result)")
        #expect(clips.outputs.count == 3 && clips.leftovers == [])
    }

    /// The third field of stat (proc(5)), after the name in parentheses.
    private static func state(_ pid: pid_t) throws -> Substring? {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        return text.split(separator: ")").last?.split(separator: " ").first
    }

    @Test func `an interrupted watch says how it goes on, and has no list to resume`() async throws {
        let clips = try await Clips(["first.mp4"], duration: 60, settings: ["--preset", "hevc", "--reencode"])
        let batch = try clips.start(["--watch", "in", "--json", "--progress", "none"], inputs: [])
        for await line in batch.lines {
            let event = try Event(line)
            guard event.kind == "transcode", event.state.fraction ?? 0 > 0 else { continue }
            batch.signal(SIGINT)
            break
        }
        let result = try await batch.result(within: .seconds(60))
        #expect(result.status == 1, "\(result)")
        #expect(
            result.errors.contains("Start the same --watch again") && !result.errors.contains("--resume"), "\(result)")
        let resumed = try await BuiltCommand.rushes.run(
            ["transcode", "--resume", "--output-directory", "out"], folder: clips.folder.path)
        #expect(resumed.status == 1 && resumed.errors.contains("start the same --watch again"), "\(resumed)")
    }

    @Test func `a watched folder's files are exported as they come, the same name too`() async throws {
        let clips = try await Clips(["first.mp4"])
        let batch = try clips.start(["--watch", "in", "--json", "--progress", "none"], inputs: [])
        var lengths: [Int64] = []
        for await line in batch.lines {
            let event = try Event(line)
            guard event.kind == "transcode", event.event == "end" else { continue }
            #expect(event.state.phase == "finished", "\(line)")
            lengths.append(event.state.bytesWritten ?? 0)
            if lengths.count == 1 {
                // Dropped again under its name, from another folder of the same disk.
                try await clips.make("other.mp4", number: 5, duration: 2)
                rename(clips.folder.file("other.mp4"), clips.folder.file("in/first.mp4"))
            } else {
                batch.signal(SIGINT)
            }
        }
        let result = try await batch.result(within: .seconds(60))
        #expect(result.status == 0 && result.errors.contains("2 done"), "\(result)")
        // What the first became stays.
        #expect(clips.outputs == ["first.2.mp4", "first.mp4"] && clips.leftovers == [])
        for (name, seconds) in [("first.mp4", 1.0), ("first.2.mp4", 2.0)] {
            let report = try await FFProbe.inspect(clips.folder.file("out/\(name)"))
            #expect(abs((report.format.duration?.value ?? 0) - seconds) < 0.2)
        }
    }
}
