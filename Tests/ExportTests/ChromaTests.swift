import Encoding
import Errors
import Foundation
import GStreamer
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// How many colour samples an export keeps, judged by ffprobe and ffmpeg's decoder.
@Suite(.serialized, .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ChromaTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func input(_ format: String) async throws -> String {
        let path = folder.file("\(format).mkv")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=256x144:rate=25:duration=0.6"]
                + ["-pix_fmt", format, "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
                + ["-c:v", "ffv1", path])
        return path
    }

    private func export(
        _ input: String, _ preset: String, _ chroma: ExportSettings.Chroma?, depth: Int? = nil, to name: String
    ) async throws -> (format: String?, notes: [String]) {
        var settings = ExportSettings(preset: preset)
        (settings.chroma, settings.bitDepth, settings.rateControl) = (chroma, depth, .quality(85))
        let result = try await ExportSession(input: FilePath(input), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
        try await FFmpeg.decode(folder.file(name))
        return (try await FFProbe.inspect(folder.file(name)).video.first?.pixFmt, result.notes)
    }

    @Test(arguments: [
        ("yuv422p", "hevc", "mp4"), ("yuv422p10le", "hevc", "mov"), ("yuv444p", "hevc", "mkv"),
        ("yuv444p10le", "hevc", "mp4"), ("yuv422p", "h264", "mp4"), ("yuv444p", "h264", "mov"),
    ]) func `the input's colours are kept where that is asked for`(format: String, preset: String, ending: String)
        async throws
    {
        let input = try await input(format)
        let kept = try await export(input, preset, .keep, to: "kept.\(ending)")
        #expect(kept.format == format && !kept.notes.contains { $0.contains("4:2:0") }, "\(kept)")
        #expect(try await FFmpeg.psnr(of: folder.file("kept.\(ending)"), reference: input) > 35)
    }

    @Test func `without a word 4:2:0 is written, and said`() async throws {
        let usual = try await export(try await input("yuv422p10le"), "hevc", nil, to: "usual.mp4")
        #expect(usual.format == "yuv420p10le" && usual.notes.contains { $0.contains("chroma keep") }, "\(usual)")
        let screen = try await export(try await input("yuv444p"), "h264", nil, to: "screen.mp4")
        #expect(screen.format == "yuv420p", "\(screen)")
    }

    @Test func `what the encoder lacks is said, or refused where it was asked for`() async throws {
        let input = try await input("yuv422p")
        let kept = try await export(input, "av1", .keep, to: "kept.mp4")
        #expect(kept.format == "yuv420p" && kept.notes.contains { $0.contains("AV1 does not keep") }, "\(kept)")
        let deep = try await export(try await self.input("yuv422p10le"), "av1", .keep, to: "deep.mp4")
        #expect(deep.format == "yuv420p" && deep.notes.count { $0.contains("AV1 does not keep") } == 2, "\(deep)")
        let error = await #expect(throws: RushesError.self) {
            try await export(input, "av1", .exactly(.yuv422), to: "never.mp4")
        }
        #expect(error?.code == .invalidSettings && error?.description.contains("4:2:2") == true)
        let prores = await #expect(throws: RushesError.self) {
            try await export(input, "prores-hq", .exactly(.yuv444), to: "never.mov")
        }
        #expect(prores?.description.contains("use profile") == true)
        let ten = try await export(input, "h264", .exactly(.yuv422), depth: 10, to: "ten.mp4")
        #expect(ten.format == "yuv422p10le")
    }

    @Test(arguments: [
        ("I420", ChromaSubsampling.yuv420), ("NV12", .yuv420), ("P010_10LE", .yuv420), ("GRAY8", .yuv420),
        ("Y41B", .yuv420), ("Y42B", .yuv422), ("I422_10LE", .yuv422), ("YUY2", .yuv422), ("v210", .yuv422),
        ("Y210", .yuv422),
        ("Y444_10LE", .yuv444), ("AYUV", .yuv444), ("GBR", .yuv444), ("RGB16", .yuv444), ("BGRx", .yuv444),
        ("Y410", .yuv444),
    ]) func `raw formats tell their colours`(format: String, chroma: ChromaSubsampling) {
        #expect(ChromaSubsampling(rawFormat: format) == chroma)
    }
}
