import Foundation
import TestSupport
import Testing

/// Copies of whole movies, whose bytes Rushes reads and writes by itself.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct CopyCommandTests {
    @Test(arguments: ["copy.mp4", "copy.mov"]) func `a copy does not start GStreamer, whose plugins it does not need`(
        name: String
    ) async throws {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.finished.make("movie.mp4", in: folder)
        let registry = folder.file("registry")
        let result = try await BuiltCommand.rushes.run(
            ["transcode", movie, "--output", name, "--preset", "copy", "--progress", "none"],
            // Started, it looks into all its plugins and writes down here what they have. A copy that takes a second, as on a busy
            // machine, is shown by a frame, which has to be decoded: there is no place for one.
            environment: ["GST_REGISTRY": registry, "XDG_RUNTIME_DIR": nil, "XDG_STATE_HOME": "/dev/null/none"],
            folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(!FileManager.default.fileExists(atPath: registry))
        #expect(try await FFProbe.packets("v:0", of: folder.file(name)).count == MovieFixture.frameCount)
        try await FFmpeg.decode(folder.file(name))
    }
}
