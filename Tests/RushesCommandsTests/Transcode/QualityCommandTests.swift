import Foundation
import TestSupport
import Testing

/// `rushes transcode --target-quality`, as people run it.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct QualityCommandTests {
    private static let settings = [
        "--preset", "h264", "--crop", "256x144+32+16", "--target-quality", "ssim:0.98", "--audio", "none",
    ]

    @Test func `each file of a batch finds its own, and a resumed batch keeps to it`() async throws {
        let clips = try await Clips(["a.mp4", "b.mp4"])
        let arguments =
            ["transcode", "in", "--output-directory", "out"] + Self.settings + ["--json", "--progress", "none"]
        let result = try await BuiltCommand.rushes.run(arguments, limit: .seconds(120), folder: clips.folder.path)
        #expect(result.status == 0 && clips.outputs == ["a.mp4", "b.mp4"] && clips.leftovers == [], "\(result)")
        let ends = try Event.all(result.text).filter { $0.event == "end" && $0.kind == "transcode" }
        #expect(ends.count == 2)
        for end in ends { #expect(end.state.message?.contains("SSIM 0.98") == true, "\(end)") }
        let again = try await BuiltCommand.rushes.run(
            arguments + ["--resume"], limit: .seconds(120), folder: clips.folder.path)
        #expect(again.status == 0 && again.errors.contains("2 done before"), "\(again)")
    }

    @Test func `a search is shown, and kill -9 in the middle of it leaves nothing`() async throws {
        let clips = try await Clips(["a.mp4"], duration: 9)
        let run = try BuiltCommand.rushes.start(
            // Long enough that each try is seen.
            [
                "transcode", "in/a.mp4", "--output", "out/a.mp4", "--preset", "hevc", "--target-quality", "ssim:0.98",
                "--json", "--progress", "none",
            ],
            folder: clips.folder.path)
        var isShown = false
        for await line in run.lines {
            guard let message = try Event(line).state.message, message.contains("Looking for the quality") else {
                continue
            }
            isShown = true
            break
        }
        run.signal(SIGKILL)
        _ = try await run.result(within: .seconds(60))
        #expect(isShown)
        #expect(try FileManager.default.contentsOfDirectory(atPath: clips.folder.file("out")) == [])
    }

    @Test(arguments: [
        (["--target-quality", "good"], "vmaf:95 or ssim:0.985"), (["--target-quality", "ssim:2"], "--target-quality"),
        (["--target-quality", "95", "--quality", "50"], "give one"),
        (["--target-quality", "95", "--bitrate", "1M"], "give one"),
        (["--target-quality", "95", "--target-size", "1M"], "give one"),
        (["--target-quality", "95", "--preset", "prores-hq"], "leave --target-quality out"),
        (["--target-quality", "95", "--preset", "copy"], "leave --target-quality out"),
        (["--chroma", "4:1:1"], "--chroma"), (["--chroma", "keep", "--preset", "copy"], "leave --chroma out"),
    ]) func `wrong usage is named before anything is created`(arguments: [String], words: String) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Checkout.media("big-buck-bunny.mp4"), toPath: folder.file("a.mp4"))
        let result = try await BuiltCommand.rushes.run(
            ["transcode", "a.mp4", "--output", "b.mov"] + arguments, folder: folder.path)
        #expect(result.status == 64 && result.errors.contains(words), "\(result)")
        #expect(folder.contents == ["a.mp4"])
    }

    @Test func `a metric that is not installed is said, with the cure`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Checkout.media("big-buck-bunny.mp4"), toPath: folder.file("a.mp4"))
        let tools = folder.file("tools")
        try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: false)
        let arguments = ["transcode", "a.mp4", "--output", "b.mp4", "--target-quality", "vmaf:90"]
        let without = try await BuiltCommand.rushes.run(
            arguments, environment: ["PATH": tools], folder: folder.path)
        #expect(without.status == 1 && without.errors.contains("install ffmpeg"), "\(without)")
        // An ffmpeg that knows SSIM only, as Debian's.
        try Data("#!/bin/sh\necho ' .. ssim VV->V'\n".utf8).write(to: URL(filePath: "\(tools)/ffmpeg"))
        chmod("\(tools)/ffmpeg", 0o755)
        let lesser = try await BuiltCommand.rushes.run(
            arguments, environment: ["PATH": tools], folder: folder.path)
        #expect(lesser.status == 1 && lesser.errors.contains("libvmaf"), "\(lesser)")
        // One that the kernel ends for want of memory says nothing of itself.
        try Data("#!/bin/sh\nkill -9 $$\n".utf8).write(to: URL(filePath: "\(tools)/ffmpeg"))
        let killed = try await BuiltCommand.rushes.run(
            arguments, environment: ["PATH": tools], folder: folder.path)
        #expect(killed.status == 1 && killed.errors.contains("ffmpeg was ended (signal 9)"), "\(killed)")
        try Data("#!/bin/sh\necho ' .. ssim VV->V'\n".utf8).write(to: URL(filePath: "\(tools)/ffmpeg"))
        // Of a batch, once and before it begins.
        try FileManager.default.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: false)
        let batch = try await BuiltCommand.rushes.run(
            ["transcode", "a.mp4", "--output-directory", "out", "--target-quality", "vmaf:90"],
            environment: ["PATH": tools], folder: folder.path)
        #expect(batch.status == 1 && batch.errors.contains("libvmaf"), "\(batch)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out")) == [])
        #expect(Set(folder.contents) == ["a.mp4", "out", "tools"])
    }
}
