import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// GIFs that become movies, beside what ffmpeg decodes of them.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct GIFExportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ bytes: some Sequence<UInt8>, as name: String = "in.gif") throws {
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
    }

    private func export(_ preset: String = "h264", to name: String = "out.mp4") async throws -> ExportResult {
        var settings = ExportSettings(preset: preset)
        if preset == "h264" { settings.rateControl = .quality(98) }
        return try await ExportSession(input: FilePath(folder.file("in.gif")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name)), replacesExisting: true))
    }

    /// Frames that go, come back and let the page be seen, of all kinds of delays.
    private static let unusual = MadeGIF(
        width: 64, height: 48, repeats: 0,
        [
            .init((0, 0, 64, 48), color: 1, delay: 5, isTransparent: true),
            .init((8, 8, 32, 16), color: 3, delay: 20, disposal: 2),
            .init((16, 4, 40, 40), color: 2, delay: 0, disposal: 3),
            .init((0, 0, 10, 10), color: 3, delay: 1), .init((20, 20, 44, 28), color: 1, delay: 37, disposal: 1),
            .init((0, 30, 64, 18), color: 2, delay: 110),
        ])

    private func frameTimes(_ name: String) async throws -> [Double] {
        try await FFProbe.packets("v:0", of: folder.file(name)).compactMap { $0.ptsTime?.value }.sorted()
    }

    /// What ffmpeg decodes of the GIF, without loss; what is transparent is white.
    private func reference() async throws -> String {
        let path = folder.file("wanted.mkv")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-i", folder.file("in.gif"), "-fps_mode", "passthrough"]
                + [
                    "-vf", "format=rgb24,scale=out_color_matrix=bt601:out_range=tv,format=yuv420p", "-c:v", "ffv1",
                    path,
                ])
        return path
    }

    @Test(arguments: ["transparency, disposal and delays", "a clip"], ["out.mp4", "out.mkv"])
    func `it has ffmpeg's frames at ffmpeg's times`(kind: String, output: String) async throws {
        if kind == "a clip" {
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=5"]
                    + [folder.file("in.gif")])
        } else {
            try write(Self.unusual.bytes)
        }
        let result = try await export(to: output)
        let (wanted, got) = (try await frameTimes("in.gif"), try await frameTimes(output))
        #expect(wanted.count == (kind == "a clip" ? 125 : 6) && result.frames == wanted.count)
        #expect(zip(wanted, got).allSatisfy { abs($0 - $1) < 0.0006 } && got.count == wanted.count, "\(got), \(wanted)")
        let length = try await FFProbe.inspect(folder.file(output)).format.duration?.value ?? 0
        #expect(abs(length - (kind == "a clip" ? 5 : 0.86)) < 0.002, "\(length)")
        let likeness = try await FFmpeg.psnr(of: folder.file(output), reference: try await reference())
        #expect(likeness > 38, "\(likeness) dB")
        if kind != "a clip" {
            #expect(
                result.notes.contains { $0.hasPrefix("What is transparent in the GIF is white in the movie;") },
                "\(result.notes)")
            #expect(result.notes.contains("The GIF shows its frames for ever; the movie shows them once."))
            #expect(result.notes.contains { $0.hasPrefix("2 frames are shown for 0.1 s") })
            #expect(result.notes.contains { $0.hasPrefix("The GIF shows its last frame for 1.1 s") })
        }
    }

    @Test func `one that is cut off gives its whole frames with a word`() async throws {
        try write(Self.unusual.bytes.prefix(Self.unusual.ends[3]))
        let result = try await export()
        #expect(result.frames == 3 && result.notes.contains("The GIF is cut off: its 3 whole frames are there."))
        try await FFmpeg.decode(folder.file("out.mp4"))
    }

    @Test func `frames that cannot be decoded are counted`() async throws {
        var bytes = Self.unusual.bytes
        // The fourth frame's code size: there are no codes of 13 bits.
        let place = Self.unusual.ends[2] + 1 + 8 + 10
        #expect(bytes[place] == 2)
        bytes[place] = 13
        try write(bytes)
        let result = try await export()
        #expect(result.frames == 5 && result.notes.contains { $0.hasPrefix("1 of the input's 6 frames is missing") })
    }

    @Test func `one that is damaged is refused in a sentence`() async throws {
        var bytes = Self.unusual.bytes
        bytes[Self.unusual.ends[0] + 1] = 0x77
        try write(bytes)
        await #expect {
            _ = try await export()
        } throws: { error in
            "\(error)".contains("in.gif is damaged: what follows its first frame") && !"\(error)".contains("\n")
        }
        try write(Self.unusual.bytes.prefix(60))
        await #expect {
            _ = try await export()
        } throws: { error in
            "\(error)".hasSuffix("in.gif is damaged: it is cut off within its first frame.")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("out.mp4")))
    }

    @Test func `a part, another rate and another codec come of it as of any movie`() async throws {
        try write(Self.unusual.bytes)
        var settings = ExportSettings(preset: "prores-hq")
        (settings.rate, settings.range) = (Fraction(20), TimeRange(start: .millisecond * 250, end: .millisecond * 850))
        let result = try await ExportSession(input: FilePath(folder.file("in.gif")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mov"))))
        #expect(result.frames == 12)
        try await FFmpeg.decode(folder.file("out.mov"))
    }

    @Test func `a quality that is aimed at is found for a GIF too`() async throws {
        try write(Self.unusual.bytes)
        var settings = ExportSettings(preset: "h264")
        settings.targetQuality = TargetQuality(.ssim, 0.9)
        let result = try await ExportSession(input: FilePath(folder.file("in.gif")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect(result.frames == 6 && result.notes.contains { $0.hasPrefix("SSIM 0.9") }, "\(result.notes)")
    }
}
