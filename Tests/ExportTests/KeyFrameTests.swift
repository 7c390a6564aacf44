import Encoding
import Errors
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Whether a player that seeks sees something: only frames that begin anew are in the index, judged by ffmpeg's decoder.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct KeyFrameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Another scene begins after half a second: x264 and x265 make a frame of I slices of it, as the last key frame is too near for
    /// another.
    private func input() async throws -> String {
        let path = folder.file("scenes.mkv")
        try await Fixtures.make(
            path, "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=0.5", "-f",
                "lavfi",
                "-i", "mandelbrot=size=320x180:rate=25", "-filter_complex", "[0][1]concat", "-t", "6", "-pix_fmt",
                "yuv420p",
                "-c:v", "ffv1",
            ])
        return path
    }

    @Test(arguments: ["h264", "hevc"], ["mp4", "mkv"])
    func `a seek to any second finds a frame that can be decoded`(preset: String, ending: String) async throws {
        let output = folder.file("\(preset).\(ending)")
        _ = try await ExportSession(input: FilePath(try await input()), settings: ExportSettings(preset: preset))
            .export(to: MovieDestination(FilePath(output)))
        for second in [1, 3, 5] {
            let result = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-ss", "\(second)", "-i", output, "-frames:v", "1", "-f", "framemd5", "-"])
            let frames = result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(frames.count == 1, "\(second) s: \(result.text)")
        }
    }
}
