import Foundation
import TestSupport
import Testing

/// An export that is ended in the middle, in whatever way, leaves nothing.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg"))
struct InterruptedExportTests {
    /// With their status where they are stopped before they have done anything.
    private static let commands: [([String], status: Int32)] = [
        (["transcode", "in/a.mp4", "--output", "out/a.mp4", "--preset", "h264", "--reencode"], 130),
        (["transcode", "in", "--output-directory", "out", "--preset", "h264", "--reencode"], 1),
        (["timelapse", "out/a.mp4", "--from-images", "in", "--watch"], 1),
    ]
    private static let signals: [[Int32]] = [[SIGINT, SIGINT], [SIGKILL]]

    private func start(_ clips: Clips, _ name: String, _ more: [String]) throws -> RunningCommand {
        try BuiltCommand.rushes.start(
            ["transcode", "in/a.mp4", "--output", "out/\(name)", "--json", "--progress", "none"] + more,
            folder: clips.folder.path)
    }

    private func contents(_ clips: Clips) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: clips.folder.file("out"))
    }

    @Test(arguments: ["a.mp4", "a.mkv"], signals) func `while it encodes`(name: String, signals: [Int32]) async throws {
        let clips = try await Clips(["a.mp4"], duration: 9)
        let export = try start(clips, name, ["--preset", "hevc", "--reencode", "--size", "1280x720"])
        var isEncoding = false
        for await line in export.lines {
            guard try Event(line).state.phase == "running" else { continue }
            isEncoding = true
            // What is being written has no name that anybody could see.
            #expect(try contents(clips) == [])
            break
        }
        for signal in signals { export.signal(signal) }
        let result = try await export.result(within: .seconds(60))
        #expect(isEncoding && result.status != 0, "\(result)")
        #expect(try contents(clips) == [])
    }

    /// Each of the calls that trap signals takes a second: whoever reads of the start is quicker than that.
    @Test(.requires(tool: "strace", package: "strace"), arguments: commands)
    func `by a signal that comes with the start`(arguments: [String], status: Int32) async throws {
        let clips = try await Clips(["a.mp4"], duration: 9)
        let command = try RunningCommand(
            "strace",
            ["-f", "-qq", "-o", "/dev/null", "-e", "trace=signalfd4", "-e", "inject=signalfd4:delay_enter=1s"]
                + [try BuiltCommand.rushes.path] + arguments + ["--json", "--progress", "none"],
            folder: clips.folder.path)
        for await line in command.lines {
            let pid = try #require(try Event(line).attributes).pid
            // Trapped one after the other, in no order.
            for signal in [SIGHUP, SIGTERM] { kill(pid, signal) }
            break
        }
        let result = try await command.result(within: .seconds(120))
        #expect(result.status == status, "\(result)")
        let last = try #require(try Event.all(result.text).last)
        #expect(last.event == "end" && ["cancelled", "finished"].contains(last.state.phase), "\(result)")
        #expect(clips.outputs == [])
    }

    @Test func `while a quality is looked for, by a second interrupt`() async throws {
        let clips = try await Clips(["a.mp4"], duration: 9)
        let export = try start(clips, "a.mp4", ["--preset", "hevc", "--target-quality", "ssim:0.98"])
        for await line in export.lines where try Event(line).state.message?.contains("Looking") == true { break }
        for _ in 1...2 { export.signal(SIGINT) }
        let result = try await export.result(within: .seconds(60))
        #expect(result.status == 130, "\(result)")
        #expect(try contents(clips) == [])
    }

    @Test func `two exports to one name do not disturb each other, and one of them is there as a whole`() async throws {
        let clips = try await Clips(["a.mp4"], duration: 2)
        let exports = try (1...2).map { _ in
            try start(clips, "a.mp4", ["--overwrite", "--reencode", "--preset", "h264"])
        }
        for export in exports {
            let result = try await export.result(within: .seconds(120))
            #expect(result.status == 0, "\(result)")
        }
        #expect(try contents(clips) == ["a.mp4"])
        try await FFmpeg.decode(clips.folder.file("out/a.mp4"))
    }
}
