import Foundation
import TestSupport
import Testing

/// Inputs that another program cuts off while they are exported.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct ChangedInputCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A transport stream says nowhere how long it is, so nothing else tells that half of it is missing.
    @Test func `an export of which half the input goes away says so`() async throws {
        let input = folder.file("in.ts")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30:duration=40"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", input])
        let command = try BuiltCommand.rushes.start(
            ["transcode", "in.ts", "--preset", "h264", "--reencode", "--json", "--progress", "none"]
                + ["--output", "out.mp4"], folder: folder.path)
        var isCut = false
        for await line in command.lines where try !isCut && Event(line).state.phase == "running" {
            isCut = true
            let size = try FileManager.default.attributesOfItem(atPath: input)[.size] as? Int ?? 0
            let file = try #require(FileHandle(forUpdatingAtPath: input))
            try file.truncate(atOffset: UInt64(size / 2))
            try file.close()
        }
        let result = try await command.result(within: .seconds(120))
        #expect(isCut && result.status == 0, "\(result)")
        #expect(result.errors.contains("in.ts was cut off while it was read, from "), "\(result)")
        #expect(try await FFProbe.packets("v:0", of: folder.file("out.mp4")).count < 1200)
        try await FFmpeg.decode(folder.file("out.mp4"))
    }
}
