import Encoding
import Foundation
import GStreamer
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// 8 bits exported as 10, judged by ffmpeg's decoder.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct DepthTests {
    /// A clip whose left half is black and whose right half is white, in the numbers given; in Matroska, as of MP4 GStreamer's
    /// demuxer (1.22) does not tell the whole range.
    @Test(arguments: [("tv", "16", "235", 64, 940), ("pc", "0", "255", 0, 1023)])
    func `black, white and grey are those of 10 bits`(
        range: String, black: String, white: String, low: Int, high: Int
    ) async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                "color=size=128x64:rate=25:duration=0.2,format=yuv420p,geq=lum='if(lt(X,W/2),\(black),\(white))':cb=128:cr=128",
                "-c:v", "libx264", "-qp", "0", "-color_range", range, "-colorspace", "bt709", "-color_primaries",
                "bt709",
                "-color_trc", "bt709", folder.file("in.mkv"),
            ])
        let result = try await ExportSession(
            input: FilePath(folder.file("in.mkv")), settings: ExportSettings(preset: "hevc-10bit")
        ).export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect(result.frames == 5)
        let decoded = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", folder.file("out.mp4"), "-frames:v", "1", "-pix_fmt", "yuv420p10le",
                "-f",
                "rawvideo", "-",
            ])
        let bytes = Array(decoded.output)
        #expect(bytes.count == 128 * 64 * 3)
        guard bytes.count == 128 * 64 * 3 else { return }
        func sample(_ place: Int) -> Int { Int(bytes[2 * place]) | Int(bytes[2 * place + 1]) << 8 }
        let row = 32 * 128
        // In the middle of each half, where the edge does not reach.
        #expect(sample(row + 24) == low)
        #expect(sample(row + 104) == high)
        #expect(sample(128 * 64 + 16 * 64 + 12) == 512)
        let stream = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "stream=color_range,color_space,color_primaries,color_transfer,pix_fmt",
                "-of", "csv=p=0", folder.file("out.mp4"),
            ])
        #expect(stream.text.contains("yuv420p10le,\(range),bt709,bt709,bt709"), "\(stream.text)")
    }
}
