import Foundation
import TestSupport
import Testing

/// A batch that is stopped, held and watched over.
@Suite(.timeLimit(.minutes(5)), .lightTake, .requires(tool: "ffmpeg", package: "ffmpeg")) struct BatchSignalTests {
    @Test func `an interrupt leaves nothing half done, and the rest can be gone on with`() async throws {
        let clips = try await Clips(["a.mp4", "b.mp4", "c.mp4"], duration: 2)
        let batch = try clips.start(["--jobs", "1", "--json", "--progress", "none"])
        for await line in batch.lines where try Event(line).kind == "transcode" { break }
        batch.signal(SIGINT)
        let result = try await batch.result(within: .seconds(60))
        #expect(result.status == 1 && result.errors.contains("--resume goes on with the rest"), "\(result)")
        #expect(clips.outputs.count < 3 && clips.leftovers == [])
        let end = try #require(try Event.all(result.text).last { $0.kind == "batch" })
        #expect(end.event == "end" && end.state.phase == "cancelled")
        let rest = try await clips.run(["--resume"])
        #expect(rest.status == 0 && clips.outputs == ["a.mp4", "b.mp4", "c.mp4"])
        #expect(try clips.records().allSatisfy { $0.completions == 1 })
    }

    @Test func `Ctrl-Z holds a batch, and SIGCONT lets it go on`() async throws {
        let clips = try await Clips(["a.mp4", "b.mp4", "c.mp4"], duration: 2)
        let batch = try clips.start(["--jobs", "1", "--json", "--progress", "none"])
        var isHeld = false
        var wentOn = false
        for await line in batch.lines {
            let event = try Event(line)
            if !isHeld, event.kind == "transcode" {
                isHeld = true
                batch.signal(SIGTSTP)
            }
            if event.kind == "batch", event.state.phase == "paused" { batch.signal(SIGCONT) }
            if event.kind == "batch", event.state.phase == "running", isHeld { wentOn = true }
        }
        let result = try await batch.result(within: .seconds(60))
        #expect(result.status == 0 && wentOn, "\(result)")
        let phases = try Event.all(result.text).filter { $0.kind == "batch" }.map(\.state.phase)
        #expect(phases.contains("paused") && phases.last == "finished", "\(phases)")
        #expect(clips.outputs == ["a.mp4", "b.mp4", "c.mp4"])
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
        #expect(clips.outputs == ["first.mp4"] && clips.leftovers == [])
        let report = try await FFProbe.inspect(clips.folder.file("out/first.mp4"))
        #expect((report.format.duration?.value ?? 0) > 1.5)
    }
}
