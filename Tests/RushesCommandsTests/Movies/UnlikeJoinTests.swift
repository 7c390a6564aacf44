import Foundation
import TestSupport
import Testing

/// Movies that differ, joined to one that is encoded.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct UnlikeJoinTests {
    private static let first =
        "-f lavfi -i testsrc2=s=320x240:r=25:d=2 -f lavfi -i sine=440:r=48000:d=2 -ac 2 -c:v libx264 -c:a aac"
    private static let second =
        "-f lavfi -i testsrc2=s=640x360:r=30:d=1 -f lavfi -i sine=880:r=44100:d=1 -ac 1 -c:v libx264 -c:a aac"
    private static let third = "-f lavfi -i testsrc2=s=320x240:r=25:d=1 -c:v libx264"

    private func make(_ name: String, _ options: String, in folder: TemporaryFolder) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + options.split(separator: " ").map(String.init)
                + ["-preset", "ultrafast", folder.file(name)])
    }

    @Test func `movies that differ are one behind the other, silent where one has no audio`() async throws {
        let folder = try TemporaryFolder()
        try await make("one.mp4", Self.first, in: folder)
        try await make("two.mov", Self.second, in: folder)
        try await make("three.mp4", Self.third, in: folder)
        let refused = try await BuiltCommand.rushes.run(
            ["join", "one.mp4", "two.mov", "--output", "new.mp4"], folder: folder.path)
        #expect(refused.status != 0 && refused.errors.contains("--preset h264"), "\(refused)")
        let result = try await BuiltCommand.rushes.run(
            [
                "join", "one.mp4", "two.mov", "three.mp4", "--output", "new.mp4", "--preset", "h264", "--progress",
                "none",
            ],
            folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let output = folder.file("new.mp4")
        let frames = try await FFProbe.packets("v:0", of: output)
        #expect(frames.count == 50 + 30 + 25)
        let times = frames.compactMap { $0.ptsTime?.value }.sorted()
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < 0.06 })
        let report = try await FFProbe.inspect(output)
        #expect(abs((report.format.duration?.value ?? 0) - 4) < 0.1)
        #expect(report.streams.first { $0.codecType == "video" }?.width == 320)
        try await FFmpeg.decode(output)
        let audio = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", output, "-ac", "1", "-f", "s16le", "-"])
        let samples = audio.output.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        #expect(abs(samples.count - 4 * 48000) < 4800)
        // A window of 10 ms is loud up to the last movie, which has no audio.
        let windows: [Int] = stride(from: 4800, to: samples.count - 480, by: 480).map { (begin: Int) -> Int in
            let loudest = samples[begin..<begin + 480].map(\.magnitude).max()
            return Int(loudest ?? 0)
        }
        #expect(windows.prefix(270).allSatisfy { $0 > 1000 })
        #expect(windows.dropFirst(300).allSatisfy { $0 < 100 })
    }

    @Test(arguments: ["sound.m4a", "hdr.mp4"]) func `what cannot be joined is refused, and nothing is left`(
        name: String
    ) async throws {
        let folder = try TemporaryFolder()
        try await make("one.mp4", Self.first, in: folder)
        let options =
            name == "sound.m4a"
            ? "-f lavfi -i sine=440:d=1 -c:a aac"
            : "-f lavfi -i testsrc2=s=320x240:r=25:d=1 -c:v libx265 -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 "
                + "-colorspace bt2020nc -tag:v hvc1"
        try await make(name, options, in: folder)
        let before = folder.contents
        let result = try await BuiltCommand.rushes.run(
            ["join", "one.mp4", name, "--output", "new.mp4", "--preset", "h264"], folder: folder.path)
        #expect(result.status != 0)
        #expect(result.errors.contains(name == "hdr.mp4" ? "is HDR (PQ) and" : "has no video"), "\(result)")
        #expect(folder.contents == before)
    }

    @Test func `options of encoding need a preset`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["join", "a.mp4", "b.mp4", "--output", "new.mp4", "--size", "320x240"], folder: folder.path)
        #expect(result.status == 64 && result.errors.contains("add --preset"), "\(result)")
    }
}
