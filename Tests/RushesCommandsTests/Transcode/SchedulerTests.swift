import Foundation
import TestSupport
import Testing

/// A batch done by somebody else's scheduler, one process for each file.
@Suite(
    .timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg"),
    .requires(tool: "parallel", package: "parallel"))
struct SchedulerTests {
    @Test func `GNU parallel does a batch, also one whose process was killed, and does nothing twice`() async throws {
        let names = (0..<3).map { "clip\($0).mp4" }
        let clips = try await Clips(names)
        let rushes = try BuiltCommand.rushes
        let plan = try await rushes.run(
            ["batch", "plan", "in", "--output-directory", "out"] + Clips.settings, folder: clips.folder.path)
        try #require(plan.status == 0, "\(plan)")
        try Data(plan.text.utf8).write(to: URL(filePath: clips.folder.file("plan")))

        let killed = try rushes.start(["batch", "run-one", "out", "1"], folder: clips.folder.path)
        while (try? clips.records().first) == nil { try await Task.sleep(for: .milliseconds(10)) }
        killed.signal(SIGKILL)
        _ = try await killed.result(within: .seconds(60))

        for isFirst in [true, false] {
            let all = try await Tool.run(
                "bash", ["-c", "cut -f 1 plan | parallel --will-cite -j 2 \"$0\" batch run-one out {}", rushes.path],
                limit: .seconds(200), folder: clips.folder.path)
            #expect(all.status == 0, "\(all)")
            #expect(clips.outputs == names && clips.leftovers == [])
            #expect(isFirst || all.errors.components(separatedBy: "1 done before").count == names.count + 1, "\(all)")
            let records = try clips.records()
            #expect(records.count == names.count)
            #expect(records.allSatisfy { $0.state == "done" && $0.completions == 1 }, "\(records)")
        }
        for name in clips.outputs { _ = try await clips.decoded(name) }
    }
}
