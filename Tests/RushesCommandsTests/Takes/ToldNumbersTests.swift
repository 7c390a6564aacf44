import Foundation
import TestSupport
import Testing

/// What is told at a take's end is what its file holds, however it ends.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffprobe", package: "ffmpeg")) struct ToldNumbersTests {
    struct Cell: Sendable, CustomTestStringConvertible {
        var codec: String?
        var audio: String
        var file: String
        var testDescription: String { "\(codec ?? "sound") \(audio) \(file)" }

        var options: [String] {
            ["--audio", audio] + (codec.map { ["--codec", $0] } ?? ["--camera", "none"])
        }
    }

    static let cells = [
        Cell(codec: "h264", audio: "aac", file: "take.mov"), Cell(codec: "h264", audio: "opus", file: "take.mp4"),
        Cell(codec: "h264", audio: "pcm", file: "take.mkv"), Cell(codec: "hevc", audio: "aac", file: "take.mp4"),
        Cell(codec: "hevc", audio: "flac", file: "take.mkv"), Cell(codec: "prores", audio: "pcm", file: "take.mov"),
        Cell(codec: "prores", audio: "aac", file: "take.mkv"), Cell(codec: "mjpeg", audio: "pcm", file: "take.mov"),
        Cell(codec: "av1", audio: "aac", file: "take.mp4"), Cell(codec: "av1", audio: "opus", file: "take.webm"),
        Cell(codec: "vp9", audio: "opus", file: "take.mkv"), Cell(audio: "aac", file: "voice.mov"),
        Cell(audio: "pcm", file: "voice.mov"), Cell(audio: "flac", file: "voice.mkv"),
        Cell(audio: "opus", file: "voice.webm"),
    ]

    /// Frames that no encoder makes small.
    private static let snow = [
        "record", "--camera", "test:pattern=snow,size=320x240,rate=30", "--microphone", "test", "--json", "--progress",
        "none", "--duration", "60",
    ]

    @Test(arguments: Cases.taken(of: cells)) func `at its own end`(cell: Cell) async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            Self.snow + cell.options + ["--duration", "1.2", cell.file], limit: .seconds(120), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        try await expectTold(result, folder.file(cell.file), cell)
    }

    @Test(arguments: Cases.taken(of: cells)) func `where the file may grow no more`(cell: Cell) async throws {
        let folder = try TemporaryFolder()
        let isLarge = ["prores", "mjpeg"].contains(cell.codec)
        let limit = cell.codec == nil ? 40_000 : isLarge ? 2_000_000 : 300_000
        let result = try await Tool.run(
            "prlimit", ["--fsize=\(limit)", try BuiltCommand.rushes.path] + Self.snow + cell.options + [cell.file],
            limit: .seconds(120), folder: folder.path)
        try await expectFault(result, folder.file(cell.file), cell, "the file cannot grow any further (File too large)")
    }

    @Test(arguments: Cases.taken(of: SmallDisk.FileSystem.mountable, ["take.mov", "take.mkv"], most: 3))
    func `where another program fills the disk`(disk: SmallDisk.FileSystem, file: String) async throws {
        let folder = try TemporaryFolder()
        let cell = Cell(codec: file.hasSuffix("mov") ? "prores" : "h264", audio: "aac", file: file)
        let result = try await SmallDisk.run(
            Self.snow + cell.options + ["--min-free", "0", file], on: disk, size: disk == .btrfs ? "120M" : "60M",
            meanwhile: "until [ \"$(stat -c %s take.*)\" -gt 500000 ]; do sleep 0.02; done; cat /dev/urandom >all",
            in: folder)
        try await expectFault(result, SmallDisk.left(file, in: folder), cell, "the disk is full")
    }

    private func expectFault(_ result: ToolResult, _ file: String, _ cell: Cell, _ words: String) async throws {
        #expect(result.status == 3, "\(result)")
        #expect(!result.errors.contains("GstPipeline"), "\(result)")
        let last = try #require(try Event.all(result.text).last)
        #expect(last.state.phase == "finished" && last.state.fileIsGood == true, "\(result)")
        #expect(last.state.reason == "writing failed: \(words)", "\(result)")
        try await expectTold(result, file, cell)
        let info = try await BuiltCommand.rushes.run(["info", "--json", file])
        #expect(info.text.contains(#""complete":true"#) && info.text.contains(#""fragmented":false"#), "\(info)")
        let judged = try await Tool.run("ffmpeg", ["-nostdin", "-v", "error", "-i", file, "-f", "null", "-"])
        #expect(judged.status == 0 && judged.errors.isEmpty, "\(judged)")
    }

    private func expectTold(_ result: ToolResult, _ file: String, _ cell: Cell) async throws {
        let events = try Event.all(result.text)
        let state = try #require(events.last).state
        let report = try await FFProbe.inspect(file)
        var frames = 0
        if cell.codec != nil {
            let counted = try await Tool.succeed(
                "ffprobe",
                [
                    "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries", "stream=nb_read_frames",
                    "-of", "csv=p=0", file,
                ]
            ).text.trimmingCharacters(in: .whitespacesAndNewlines)
            frames = try #require(Int(counted.prefix { $0.isNumber }))
            #expect(frames > 5)
        }
        let seconds = try #require(report.format.duration).value
        #expect(state.framesWritten == frames, "\(result)")
        #expect(abs((state.mediaTime ?? 0) - seconds) < 0.005, "told \(state.mediaTime ?? 0), holds \(seconds)")
        #expect(state.bytesWritten == Int64(report.format.size?.value ?? 0))
        // What was encoded is in the file, or counted as dropped.
        let before = events.last { $0.state.phase == "running" }?.state.framesWritten ?? 0
        #expect(before <= frames + (state.framesDropped ?? 0), "\(result)")
        // The last line says the same.
        if cell.codec != nil { #expect(result.errors.contains(", \(frames) frames, "), "\(result)") }
    }

    @Test(.requires(tool: "cc", package: "gcc libc6-dev"), arguments: [-3600, 86_400])
    func `a clock that is set changes nothing of how long a take has run`(seconds: Int) async throws {
        let folder = try TemporaryFolder()
        let take = try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json", "--duration", "3", "take.mov"],
            environment: [
                "LD_PRELOAD": try await PreloadedLibrary.build("set-clock", in: folder),
                "CLOCK_AHEAD": folder.file("ahead"),
            ], folder: folder.path)
        for await line in take.lines where try Event(line).state.mediaTime ?? 0 > 1 {
            try Data("\(seconds)".utf8).write(to: URL(filePath: folder.file("ahead")))
        }
        let result = try await take.result(within: .seconds(60))
        let events = try Event.all(result.text)
        let times = events.map(\.state.elapsed)
        #expect(result.status == 0 && times.count > 4 && times == times.sorted(), "\(times)")
        // A day and an hour are more than any machine takes.
        #expect(times.allSatisfy { (0..<3000).contains($0) }, "\(times)")
        #expect(try await FFProbe.inspect(folder.file("take.mov")).format.duration?.value == 3)
    }
}
