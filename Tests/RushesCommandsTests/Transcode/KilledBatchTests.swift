import Foundation
import TestSupport
import Testing

/// A batch that is killed again and again ends as one that was left alone.
@Suite(.timeLimit(.minutes(25)), .alone, .requires(tool: "ffmpeg", package: "ffmpeg")) struct KilledBatchTests {
    /// An encoder that makes the same of the same frames, bit by bit, whatever else the machine does. x264 (164) does not:
    /// its vector code reads memory that nobody has written, as MALLOC_PERTURB_ shows with ffmpeg too.
    private static let repeatable = ["--preset", "prores-hq", "--reencode", "--size", "640x360"]

    @Test func `kill -9 at any moment loses only what was in flight`() async throws {
        let names = (1...6).map { "clip\($0)" }
        let clips = try await Clips(names.map { "\($0).mp4" }, settings: Self.repeatable)
        let undisturbed = try await Clips([])
        let whole = try await BuiltCommand.rushes.run(
            ["transcode", clips.folder.file("in"), "--output-directory", "out"] + Self.repeatable, limit: .seconds(120),
            folder: undisturbed.folder.path)
        try #require(whole.status == 0, "\(whole)")

        var random = SeededGenerator.printed(for: "the kills of a batch")
        var done: [String: Int] = [:]
        for kill in 1...3 {
            let batch = try clips.start(["--jobs", "2", "--resume", "--json", "--progress", "none"])
            // The moment is counted from the first file's beginning, so that it falls among the exports.
            for await line in batch.lines where try Event(line).kind == "transcode" { break }
            try await Task.sleep(for: .seconds(Double.random(in: 0...0.6, using: &random)))
            batch.signal(SIGKILL)
            _ = try await batch.result(within: .seconds(60))
            for record in try clips.records() where record.state == "done" {
                #expect(record.completions == 1, "\(record) after kill \(kill)")
                // What was done is not begun again.
                #expect(done[record.input] == nil || done[record.input] == record.starts, "\(record)")
                done[record.input] = record.starts
            }
        }
        let last = try await clips.run(["--resume"])
        #expect(last.status == 0, "\(last)")
        #expect(clips.outputs == names.map { "\($0).mov" } && clips.leftovers == [])
        let records = try clips.records()
        #expect(records.count == 6 && records.allSatisfy { $0.state == "done" && $0.completions == 1 })
        for record in records where done[record.input] != nil { #expect(record.starts == done[record.input]) }
        for name in clips.outputs {
            let (one, other) = (try await clips.decoded(name), try await undisturbed.decoded(name))
            #expect(one == other, "\(name)")
        }
    }

    @Test func `going on needs nothing but the folder`() async throws {
        let clips = try await Clips()
        let batch = try clips.start(["--jobs", "1", "--json", "--progress", "none"])
        for await line in batch.lines where try Event(line).kind == "transcode" { break }
        batch.signal(SIGKILL)
        _ = try await batch.result(within: .seconds(60))
        let rest = try await BuiltCommand.rushes.run(
            ["transcode", "--resume", "--output-directory", "out"], limit: .seconds(120), folder: clips.folder.path)
        #expect(rest.status == 0, "\(rest)")
        #expect(clips.outputs == ["a.mp4", "b.mp4", "c.mp4"] && clips.leftovers == [])
        // With the settings that the first run was given.
        let report = try await FFProbe.inspect(clips.folder.file("out/c.mp4"))
        #expect(report.streams.first?.width == 160)
    }

}
