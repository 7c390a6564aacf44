import Foundation
import TestSupport
import Testing

/// `rushes record --json`: the contract of the event stream.
@Suite(.timeLimit(.minutes(25)), .turn) struct EventStreamTests {
    @Test func `a take tells its start, an update at least once a second, and its end`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + ["--json", "--duration", "3.5", "take.mov"], limit: .seconds(120),
            folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let events = try Event.all(result.text)
        let (first, last) = (try #require(events.first), try #require(events.last))

        #expect(events.map(\.event) == ["start"] + events.dropFirst(2).map { _ in "update" } + ["end"])
        #expect(events.map(\.seq) == Array(1...events.count))
        #expect(Set(events.map(\.id)).count == 1)
        #expect(events.allSatisfy { $0.v == 1 && $0.kind == "recording" })
        #expect(events.map { $0.attributes != nil } == [true] + events.dropFirst().map { _ in false })
        #expect(first.attributes?.title == "take.mov")
        #expect(first.attributes?.inputs.count == 2)
        #expect(first.attributes?.pid ?? 0 > 1)
        #expect(first.state.phase == "running")

        for (one, next) in zip(events, events.dropFirst()) {
            #expect(next.timestamp >= one.timestamp)
            #expect((next.state.fraction ?? 0) >= (one.state.fraction ?? 0))
            #expect((next.state.framesWritten ?? 0) >= (one.state.framesWritten ?? 0))
            #expect((next.state.bytesWritten ?? 0) >= (one.state.bytesWritten ?? 0))
            #expect(next.event == "end" || (next.state.fraction ?? 0) < 1)
            // Not stale before the next one is due.
            #expect(one.staleDate ?? 0 > one.timestamp + 1.2)
        }
        // A busy machine may tell one late, but not most of them.
        let gaps = zip(events, events.dropFirst()).map { $1.timestamp - $0.timestamp }.sorted()
        #expect(gaps[gaps.count / 2] < 1.2, "\(gaps)")
        #expect(events.dropLast().last?.state.phase == "finishing")
        #expect(events.contains { ($0.state.audioLevel?.first ?? -100) > -40 })
        #expect(last.staleDate == nil)
        let state = last.state
        #expect((state.phase, state.fraction, state.fileIsGood) == ("finished", 1, true))
        // What a busy machine's encoder drops is told.
        #expect((state.framesWritten ?? 0) + (state.framesDropped ?? 0) == 105, "\(state)")
        #expect(state.reason == "time limit reached")
        #expect(state.mediaDuration == 3.5)
        #expect(state.bytesWritten == (try size(folder.file("take.mov"))))
    }

    @Test func `a take without a limit has no fraction until it is finished`() async throws {
        let folder = try TemporaryFolder()
        let take = try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json", "take.mov"], folder: folder.path)
        for await line in take.lines where try Event(line).event == "update" {
            take.signal(SIGINT)
            break
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        let events = try Event.all(result.text)
        #expect(events.dropLast().allSatisfy { $0.state.fraction == nil && $0.state.remaining == nil })
        #expect(events.last?.state.fraction == 1)
        #expect(events.last?.state.reason == "stopped")
    }

    @Test func `a reader that goes away does not end the take`() async throws {
        let folder = try TemporaryFolder()
        let rushes = try BuiltCommand.rushes.path
        let result = try await Tool.run(
            "bash",
            ["-c", #"set -o pipefail; "$@" | head -n 1"#, "bash", rushes, "record"] + Takes.small
                + ["--json", "--duration", "2", "take.mp4"], limit: .seconds(120), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(try Event.all(result.text).map(\.event) == ["start"])
        let frames = try await FFProbe.inspect(folder.file("take.mp4")).video.first?.nbFrames?.value ?? 0
        #expect(Int(frames) + Takes.dropped(in: result.errors) == 60, "\(result)")
    }

    @Test func `closed standard output and standard error do not end the take, and stay out of its file`() async throws
    {
        let folder = try TemporaryFolder()
        let rushes = try BuiltCommand.rushes.path
        let result = try await Tool.run(
            "bash",
            ["-c", #"exec "$@" <&- >&- 2>&-"#, "bash", rushes, "record"] + Takes.small
                + ["--json", "--codec", "h264", "--duration", "1", "take.mov"], limit: .seconds(120),
            folder: folder.path
        )
        #expect(result.status == 0, "\(result)")
        try await FFmpeg.decode(folder.file("take.mov"))
        let bytes = try Data(contentsOf: URL(filePath: folder.file("take.mov")))
        #expect(bytes.range(of: Data("content-state".utf8)) == nil)
        #expect(bytes.range(of: Data("Recording ".utf8)) == nil)
    }

    private func size(_ file: String) throws -> Int64? {
        (try FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber)?.int64Value
    }
}
