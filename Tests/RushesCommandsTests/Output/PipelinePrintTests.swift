import Foundation
import TestSupport
import Testing

/// `--print-pipeline`: what is printed runs in gst-launch-1.0 and writes the movie.
@Suite(.timeLimit(.minutes(25)), .turn) struct PipelinePrintTests {
    struct Wish: Sendable, CustomTestStringConvertible {
        var options: [String]
        var file: String
        var testDescription: String { (options + [file]).joined(separator: " ") }
    }

    private static let wishes = [
        Wish(options: [], file: "take.mov"),
        Wish(options: ["--codec", "h264", "--channels", "1"], file: "two words' \"take\".mp4"),
        Wish(options: ["--codec", "vp9"], file: "take.webm"),
        Wish(options: ["--codec", "av1", "--bit-depth", "8", "--audio", "flac"], file: "take.mkv"),
        Wish(options: ["--camera", "none"], file: "take.mp4"),
        Wish(
            options: [
                "--camera",
                "gst:videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=240,framerate=25/1",
                "--codec", "mjpeg", "--microphone", "none",
            ], file: "take.mov"),
    ]

    /// Runs a line in a shell, and interrupts it two seconds after its file has begun, whenever that is.
    private func launch(_ line: String, in folder: TemporaryFolder) async throws -> ToolResult {
        let script = """
            set -m
            \(line) &
            until [ -n "$(find . -type f -size +0)" ]; do kill -0 $! || exit 1; sleep 0.1; done
            sleep 2
            kill -INT $!
            wait $!
            """
        return try await Tool.run("bash", ["-c", script], limit: .seconds(120), folder: folder.path)
    }

    @Test(arguments: Cases.taken(of: wishes, most: 3)) func `what is printed runs in a shell and writes the movie`(
        wish: Wish
    ) async throws {
        let folder = try TemporaryFolder()
        let printed = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + wish.options + ["--print-pipeline", wish.file], folder: folder.path)
        #expect(printed.status == 0, "\(printed)")
        #expect(folder.contents == [])
        let line = printed.text.trimmingCharacters(in: .whitespacesAndNewlines)
        let text = line.hasPrefix("gst-launch-1.0") ? line : "gst-launch-1.0 -e -q \(line)"
        let run = try await launch(
            text.replacing("gst-launch-1.0", with: "gst-launch-1.0 -e", maxReplacements: 1), in: folder)
        #expect(folder.contents == [wish.file], "\(text)\n\(run)")
        try await Judges.expectDecodes(folder.file(wish.file))
    }

    @Test func `an element of Rushes' own is named, and what comes close runs in its place`() async throws {
        let folder = try TemporaryFolder()
        let printed = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + ["--codec", "prores", "--profile", "hq", "--print-pipeline", "take.mov"],
            folder: folder.path)
        #expect(printed.status == 0, "\(printed)")
        let lines = printed.text.split(separator: "\n")
        let comment = try #require(lines.last { $0.hasPrefix("# rushesproresenc ") })
        let other = try #require(comment.split(separator: "write: ").last)
        let pipeline = lines.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
        #expect(pipeline.contains("! rushesproresenc name=video-encoder !") && !pipeline.contains("avenc_prores"))
        let run = try await launch(
            "gst-launch-1.0 -e -q " + pipeline.replacing("rushesproresenc name=video-encoder", with: other), in: folder)
        #expect(folder.contents == ["take.mov"], "\(pipeline)\n\(run)")
        try await Judges.expectDecodes(folder.file("take.mov"))
    }

    @Test func `of a composition the main movie's pipeline is printed, and in comments what is drawn into it`()
        async throws
    {
        let folder = try TemporaryFolder()
        let movie = [
            "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=1", "-c:v", "libx264", "-pix_fmt", "yuv420p",
        ]
        for name in ["main.mp4", "face.mp4"] {
            _ = try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error"] + movie + [folder.file(name)])
        }
        let printed = try await BuiltCommand.rushes.run(
            [
                "compose", "talk.mov", "--main", "main.mp4", "--inset", "face.mp4", "--layout", "top-left@2s",
                "--codec", "h264",
                "--print-pipeline",
            ], folder: folder.path)
        #expect(printed.status == 0 && folder.contents == ["face.mp4", "main.mp4"], "\(printed)")
        let comments = printed.text.split(separator: "\n").filter { $0.hasPrefix("#") }
        #expect(comments.count == 1 && comments[0].contains("draws the frames of face.mp4 into it"), "\(printed)")
        #expect(comments[0].contains("top-left from 2.0 s on"), "\(comments)")
        let line = printed.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
        let run = try await Tool.run(
            "bash", ["-c", "gst-launch-1.0 -e -q \(line)"], limit: .seconds(120), folder: folder.path)
        #expect(run.status == 0, "\(line)\n\(run)")
        #expect(try await FFProbe.packets("v:0", of: folder.file("talk.mov")).count == 25)
        let several = try await BuiltCommand.rushes.run(
            ["compose", "--main", ".", "--inset", ".", "--output-directory", "out", "--print-pipeline"],
            folder: folder.path)
        #expect(several.status == 64 && several.errors.contains("leave --output-directory out"), "\(several)")
    }

    @Test func `of a copy the pipeline is printed that encodes the beginning of a part, and none where none runs`()
        async throws
    {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=3", "-c:v",
                "libx264",
                "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", folder.file("take.mp4"),
            ])
        func printed(_ options: [String], _ output: String) async throws -> String {
            let result = try await BuiltCommand.rushes.run(
                ["transcode", "take.mp4", "--preset", "copy", "--print-pipeline", "--output", output] + options,
                folder: folder.path)
            #expect(result.status == 0, "\(result)")
            return result.text
        }
        let part = try await printed(["--start", "0.5"], "part.mov")
        #expect(
            part.contains("! x264enc name=video-encoder") && part.contains("# Samples are copied as bytes"), "\(part)")
        #expect(part.components(separatedBy: "filesink").count == 2)
        for output in ["whole.mov", "whole.mkv"] {
            #expect(try await printed([], output) == "# Samples are copied as bytes; no pipeline runs for them.\n")
        }
        #expect(folder.contents == ["take.mp4"])
    }
}
