import Foundation
import MovieFiles
import TestSupport
import Testing

/// By how many samples a stream of H.264 is reordered, as its own headers say.
@Suite(.requires(tool: "ffmpeg", package: "ffmpeg")) struct ReorderDelayTests {
    /// A parser gives fields one by one where a frame is coded as two of them; whether one is shows with each.
    @Test(arguments: [(0, false, 0), (1, false, 1), (1, true, 2)])
    func `a frame that may be coded as two fields counts as two samples`(
        frames: Int, isInterlaced: Bool, samples: Int
    ) async throws {
        let stream = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=0.4", "-pix_fmt", "yuv420p",
                "-c:v", "libx264", "-x264-params", "bframes=\(frames):b-pyramid=none\(isInterlaced ? ":tff=1" : "")",
                "-f", "h264", "-",
            ]
        ).output
        #expect(ReorderDelay.told(byH264: Array(stream)) == frames)
        #expect(ReorderDelay.samples(toldByH264: Array(stream)) == samples)
    }
}
