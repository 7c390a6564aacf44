import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Exports whose colors are looked up in a `.cube` file, beside ffmpeg's `lut3d`.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct LookupTableExportTests {
    private let folder: TemporaryFolder
    private let cube: String

    init() throws {
        folder = try TemporaryFolder()
        cube = folder.file("warm, 'bent'.cube")
        // Red and blue change places half, green is bent: nothing that a tag or a matrix could be mistaken for.
        var lines = ["LUT_3D_SIZE 9"]
        for index in 0..<729 {
            let (r, g, b) = (Double(index % 9) / 8, Double(index / 9 % 9) / 8, Double(index / 81) / 8)
            lines.append("\(0.3 * r + 0.6 * b + 0.1) \(g * g) \(0.7 * r + 0.3 * b)")
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: cube))
    }

    /// Six frames of moving colors.
    private func movie(_ name: String, _ options: String) async throws -> String {
        let path = folder.file(name)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25,gblur=sigma=3"]
                + ["-frames:v", "6"] + Tool.words(options) + [path])
        return path
    }

    private func settings(_ preset: String) -> ExportSettings {
        var settings = ExportSettings(preset: preset)
        settings.lookupTable = FilePath(cube)
        return settings
    }

    private func export(_ input: String, _ settings: ExportSettings, to name: String) async throws -> ExportResult {
        try await ExportSession(input: FilePath(input), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    /// What ffmpeg makes of the frames, in floating point and without loss.
    private func reference(_ input: String, _ matrix: String, _ format: String) async throws -> String {
        let (path, plain) = (folder.file("wanted.mkv"), folder.file("plain.cube"))
        try Data(contentsOf: URL(filePath: cube)).write(to: URL(filePath: plain))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-i", input, "-vf"]
                + [
                    "zscale=min=\(matrix):rin=limited:tin=709:pin=709:m=gbr:r=full:t=709:p=709,format=gbrpf32le,"
                        + "lut3d=interp=tetrahedral:file=\(plain),"
                        + "zscale=min=gbr:rin=full:tin=709:pin=709:m=\(matrix):r=limited:t=709:p=709:d=none,format=\(format)",
                    "-c:v", "ffv1", path,
                ])
        return path
    }

    @Test(arguments: [
        ("in.mp4", "-pix_fmt yuv420p -c:v libx264 -qp 4", "170m", "yuv420p", "h264", "out.mp4", 38.0),
        (
            "in.mkv", "-pix_fmt yuv420p10le -c:v libx265 -x265-params log-level=none:qp=4", "170m", "yuv420p10le",
            "hevc-10bit", "out.mkv", 38
        ),
        // Its chroma is not halved on the way.
        (
            "in.mov", "-pix_fmt yuv422p10le -c:v prores_ks -profile:v 3", "170m", "yuv422p10le", "prores-hq", "out.mov",
            45
        ),
    ]) func `frames have the colors that ffmpeg gives them`(
        name: String, options: String, matrix: String, format: String, preset: String, output: String, least: Double
    ) async throws {
        let input = try await movie(name, options)
        var settings = settings(preset)
        if preset != "prores-hq" { settings.rateControl = .quality(98) }
        let result = try await export(input, settings, to: output)
        #expect(result.frames == 6)
        let wanted = try await reference(input, matrix, format)
        let likeness = try await FFmpeg.psnr(of: folder.file(output), reference: wanted)
        let unlike = try await FFmpeg.psnr(of: input, reference: wanted)
        #expect(likeness > least && unlike < 20, "\(likeness) dB, the input \(unlike) dB")
    }

    @Test func `what would be copied is encoded, and what is to be copied is refused`() async throws {
        let input = try await movie("in.mp4", "-pix_fmt yuv420p -c:v libx265 -x265-params log-level=none")
        _ = try await export(input, settings("hevc"), to: "out.mp4")
        let likeness = try await FFmpeg.psnr(
            of: folder.file("out.mp4"), reference: try await reference(input, "170m", "yuv420p"))
        #expect(likeness > 30)
        let before = folder.contents.sorted()
        await #expect {
            _ = try await export(input, settings("copy"), to: "copy.mp4")
        } throws: {
            ($0 as? RushesError)?.code == .invalidSettings && "\($0)".contains("keeps its colors")
        }
        #expect(folder.contents.sorted() == before)
    }

    @Test(arguments: ["LUT_3D_SIZE 2\n0 0 0\n", nil])
    func `without a table nothing is written`(text: String?) async throws {
        let input = try await movie("in.mp4", "-pix_fmt yuv420p -c:v libx264")
        try FileManager.default.removeItem(atPath: cube)
        if let text { try Data(text.utf8).write(to: URL(filePath: cube)) }
        let before = folder.contents.sorted()
        await #expect {
            _ = try await export(input, settings("h264"), to: "out.mp4")
        } throws: {
            "\($0)".hasPrefix(cube) && "\($0)".contains(text == nil ? "cannot be read" : "it has 1 colors")
        }
        #expect(folder.contents.sorted() == before)
    }

    @Test func `timelapses of a video and of photos have them too`() async throws {
        let input = try await movie("in.mp4", "-pix_fmt yuv420p -c:v libx264 -qp 4 -g 1")
        var timelapse = Timelapse(ofVideo: FilePath(input), .speed(3))
        timelapse.rate = Fraction(25)
        var settings = settings("h264")
        settings.rateControl = .quality(98)
        _ = try await ExportSession(timelapse, settings: settings, center: nil)
            .export(to: MovieDestination(FilePath(folder.file("video.mp4"))))
        let wanted = try await reference(input, "170m", "yuv420p")
        let third = folder.file("third.mkv")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", wanted, "-vf", "select='not(mod(n,3))'", "-fps_mode", "passthrough"]
                + ["-c:v", "ffv1", third])
        #expect(try await FFmpeg.psnr(of: folder.file("video.mp4"), reference: third) > 38)

        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", input, "-q:v", "1", folder.file("shot%02d.jpg")])
        let photos = Timelapse(ofPhotos: [FilePath(folder.file("shot*.jpg"))])
        _ = try await ExportSession(photos, settings: settings, center: nil)
            .export(to: MovieDestination(FilePath(folder.file("photos.mp4"))))
        #expect(try await FFmpeg.psnr(of: folder.file("photos.mp4"), reference: wanted) > 30)
    }
}
