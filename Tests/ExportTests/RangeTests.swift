import Encoding
import Foundation
import GStreamer
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Inputs whose frames use the full range of values, judged by ffprobe and ffmpeg's decoder.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct RangeTests {
    struct Input: Sendable, CustomTestStringConvertible {
        var name: String
        var options: String
        var testDescription: String { "\(name) \(options)" }
    }

    private static let h264 = "-c:v libx264 -preset ultrafast -qp 4 -pix_fmt yuvj420p"
    private static let hevc =
        "-c:v libx265 -preset ultrafast -pix_fmt yuv420p -color_range pc -x265-params log-level=none:qp=4:range=full"
    private static let colours = " -colorspace bt709 -color_primaries bt709 -color_trc bt709"

    static let inputs = [
        // Only the stream says it.
        Input(name: "h264.mp4", options: h264), Input(name: "h264.ts", options: h264),
        Input(name: "hevc.mkv", options: hevc),
        // The container says something else beside it, which GStreamer's demuxer believes.
        Input(name: "coloured.mp4", options: h264 + colours), Input(name: "coloured-hevc.mp4", options: hevc + colours),
        Input(name: "mjpeg.avi", options: "-c:v mjpeg -q:v 2"),
    ]

    @Test("the full range is kept, and said", arguments: Cases.taken(of: inputs, most: 3))
    func kept(_ input: Input) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file(input.name)
        let source =
            "color=size=160x120:rate=25:duration=0.2,format=yuvj420p,"
            + "geq=lum='X*255/(W-1)':cb='128+60*(Y/H-0.5)':cr='128-80*(Y/H-0.5)'"
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", source]
                + Tool.words(input.options)
                + [path])
        for (preset, name) in [("h264", "out.mp4"), ("hevc", "out.mov")] {
            var settings = ExportSettings(preset: preset)
            (settings.reencodes, settings.rateControl) = (true, .quality(90))
            _ = try await ExportSession(input: FilePath(path), settings: settings)
                .export(to: MovieDestination(FilePath(folder.file(name))))
            let frame = try await FFProbe.inspect(folder.file(name)).video.first
            #expect(frame?.colorRange == "pc", "\(preset)")
            #expect(try await FFmpeg.psnr(of: folder.file(name), reference: path) > 40, "\(preset)")
        }
        // ProRes has studio range alone; the frame looks the same.
        let settings = ExportSettings(preset: "prores-hq")
        _ = try await ExportSession(input: FilePath(path), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("prores.mov"))))
        let shown = try await FFmpeg.psnr(of: folder.file("prores.mov"), reference: path)
        #expect(shown > 40, "\(shown)")
    }
}
