import Foundation
import TestSupport
import Testing

/// The parts of a movie as files of their own, as people make them.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct SeparateCommandTests {
    private func names(_ clips: Clips, _ folder: String = "out") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: clips.folder.file(folder)).sorted()
    }

    private func run(_ clips: Clips, _ more: [String]) async throws -> ToolResult {
        try await BuiltCommand.rushes.run(
            ["transcode", "in/a.mp4", "--progress", "none"] + more, folder: clips.folder.path)
    }

    @Test func `names sort, and each file is told`() async throws {
        let clips = try await Clips(["a.mp4"], duration: 5)
        let split = ["--split-every", "400ms", "--preset", "h264", "--size", "160x90", "--output"]
        let result = try await run(clips, split + ["out/cut.mp4"])
        let expected = (1...13).map { "cut-\($0 < 10 ? "0" : "")\($0).mp4" }
        #expect(try result.status == 0 && names(clips) == expected, "\(result)")
        for name in expected { #expect(result.errors.contains("out/\(name): 0:0"), "\(result)") }
        // What is said of all is said once.
        #expect(result.errors.components(separatedBy: "H.264 with").count == 2, "\(result)")
        let numbered = try await run(
            clips, ["--split-every", "3s", "--preset", "copy", "--output", "out/part %03d.mkv"])
        #expect(numbered.status == 0, "\(numbered)")
        #expect(try names(clips).suffix(2) == ["part 001.mkv", "part 002.mkv"])
        let folder = try await run(
            clips, ["--part", "3s-", "--part", "0-1s", "--separate", "--preset", "copy", "--output-directory", "new"])
        #expect(try folder.status == 0 && names(clips, "new") == ["a-1.mp4", "a-2.mp4"], "\(folder)")
    }

    @Test func `events count the files, and end with their folder`() async throws {
        let clips = try await Clips(["a.mp4"], duration: 3)
        let result = try await run(
            clips, ["--split-every", "1s", "--preset", "h264", "--size", "160x90", "--json", "--output", "out/cut.mp4"])
        let events = try Event.all(result.text)
        #expect(Set(events.map(\.id)).count == 1 && events.last?.event == "end")
        let end = try #require(events.last).state
        #expect(end.phase == "finished" && end.completedItems == 3 && end.totalItems == 3 && end.fileIsGood == true)
        #expect(end.output == clips.folder.file("out"), "\(result)")
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `a signal leaves what is complete, and nothing else`(signal: Int32)
        async throws
    {
        let clips = try await Clips(["a.mp4"], duration: 20)
        let export = try BuiltCommand.rushes.start(
            [
                "transcode", "in/a.mp4", "--output", "out/cut.mp4", "--part", "0-1s", "--part", "1s-", "--separate",
                "--json",
                "--progress", "none", "--preset", "hevc", "--size", "1280x720", "--encoder-speed", "slow",
            ], folder: clips.folder.path)
        for await line in export.lines where try Event(line).state.completedItems == 1 { break }
        #expect(try names(clips) == ["cut-1.mp4"])
        export.signal(signal)
        let result = try await export.result(within: .seconds(60))
        #expect(result.status == 130 && result.errors.contains("Cancelled; cut-1.mp4 is complete."), "\(result)")
        #expect(try names(clips) == ["cut-1.mp4"])
        try await FFmpeg.decode(clips.folder.file("out/cut-1.mp4"))
    }

    @Test func `a disk that is too small for all of them is told before the first is made`() async throws {
        let clips = try await Clips(["a.mp4"])
        // As long as a movie of 24 MB lasts.
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                "nullsrc=size=640x360:rate=25:duration=4,geq=lum=random(1)*255",
                "-c:v", "libx264", "-preset", "ultrafast", "-qp", "4", "-g", "25", clips.folder.file("noise.mp4"),
            ])
        let size = try FileManager.default.attributesOfItem(atPath: clips.folder.file("noise.mp4"))[.size] as? Int ?? 0
        #expect(size > 20_000_000)
        let result = try await SmallDisk.run(
            [
                "transcode", clips.folder.file("noise.mp4"), "--split-every", "1s", "--preset", "copy", "--output",
                "cut.mp4",
                "--progress", "none",
            ], size: "18M", in: clips.folder)
        Refusal.expect(result, status: 1, saying: ["must stay free", "free some space"])
        #expect(try SmallDisk.contents(clips.folder) == [])
    }

    private static let mistakes: [([String], Int32, String)] = [
        (["--output", "b.mp4", "--separate"], 64, "makes a file of each --part"),
        (["--output", "b.mp4", "--part", "chapters"], 64, "add --separate"),
        (["--output", "b.mp4", "--part", "chapters", "--separate"], 64, "a.mp4 has no chapters"),
        (["--output", "b.mp4", "--part", "chapters:0", "--separate"], 64, "--part cannot be 'chapters:0'"),
        (["--output", "b.mp4", "--part", "10s-", "--part", "1s-2s"], 64, "has no end, and another follows"),
        (["--output", "b.mp4", "--part", "0-1s", "--split-every", "1s"], 64, "--split-every takes all of the input"),
        (["--output", "b.mp4", "--start", "1s", "--split-every", "1s"], 64, "--split-every takes all of the input"),
        (["--output", "b.mp4", "--split-every", "0"], 64, "a time above zero"),
        (["--output", "b.mp4", "--split-every", "1s", "--separate"], 64, "leave --separate out"),
        (["--output", "b.mp4", "--split-every", "1s", "--print-pipeline"], 64, "--print-pipeline does not go with"),
        (["--output", "b.srt", "--split-every", "1s"], 64, "holds subtitles alone"),
        (["--output", "b.mp4", "--split-every", "1s", "--preset", "hevec"], 64, "“hevec”"),
        (["--output", "b.mp4", "--output-directory", "out", "--split-every", "1s"], 64, "give one"),
        (["--output-directory", "out", "--split-every", "1s", "--resume"], 64, "--resume does not go with"),
        (["--output-directory", "out", "--part", "chapters:1"], 64, "is for one file"),
        (["a.mp4", "--output-directory", "out", "--split-every", "1s"], 64, "is for one file"),
        (["--split-every", "1s"], 64, "--output is missing"),
        (["--output", "b.mp4", "--part", "1h-2h", "--part", "0-1s", "--separate"], 64, "ends before the part begins"),
    ]

    @Test(arguments: mistakes) func `what cannot be meant is refused in one sentence, and nothing is left`(
        options: [String], status: Int32, phrase: String
    ) async throws {
        let folder = try TemporaryFolder()
        try await Fixtures.make(
            folder.file("a.mp4"), "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=2", "-c:v",
                "libx264",
                "-preset", "ultrafast", "-pix_fmt", "yuv420p",
            ])
        try await Refusal.expect(["transcode", "a.mp4"] + options, status: status, saying: [phrase], in: folder)
    }
}
