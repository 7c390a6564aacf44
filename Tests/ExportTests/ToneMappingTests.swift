import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// HDR that is written with 8 bits, beside the standards' formulas for each pixel of what ffmpeg decodes.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ToneMappingExportTests {
    private let folder: TemporaryFolder
    private static let (width, height, frames) = (128, 96, 6)
    private static let display = "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50)"

    init() throws { folder = try TemporaryFolder() }

    /// Moving colors as HDR of 10 bits.
    private func movie(_ name: String, _ transfer: String, _ parameters: String = "") async throws -> String {
        let path = folder.file(name)
        try await Fixtures.make(
            path, "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi"]
                + [
                    "-i",
                    "testsrc2=size=\(Self.width)x\(Self.height):rate=25,gblur=sigma=3,eq=contrast=0.9:saturation=0.6",
                ]
                + ["-frames:v", "\(Self.frames)", "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-tag:v", "hvc1"]
                + ["-x265-params", "log-level=none:repeat-headers=1\(parameters)", "-color_primaries", "bt2020"]
                + ["-color_trc", transfer, "-colorspace", "bt2020nc", "-color_range", "tv"])
        return path
    }

    private func export(_ input: String, _ settings: ExportSettings, to name: String) async throws -> ExportResult {
        try await ExportSession(input: FilePath(input), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    /// The types of the units of HEVC that the first frame's packet holds.
    private func units(ofFirstFrame file: String) async throws -> [UInt8] {
        let copy = [
            "-nostdin", "-v", "error", "-i", file, "-map", "0:v", "-c", "copy", "-frames:v", "1", "-f", "data", "-",
        ]
        var rest = try await Tool.succeed("ffmpeg", copy).output[...]
        var types: [UInt8] = []
        while rest.count > 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            types.append(rest[rest.startIndex + 4] >> 1 & 0x3F)
            rest = rest.dropFirst(4 + length)
        }
        return types
    }

    private func samples(_ file: String, _ format: String) async throws -> Data {
        try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", format, "-"]
        ).output
    }

    /// How far the output's samples are from what the input's should become: the mean with its sign, and that of squares.
    private func difference(
        _ output: String, _ input: String, _ reference: ToneReference
    ) async throws -> (mean: Double, square: Double) {
        let wide = try await samples(input, "yuv420p10le").withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        let ours = [UInt8](try await samples(output, "yuv420p"))
        let (width, height) = (Self.width, Self.height)
        let (count, quarter) = (width * height, width * height / 4)
        try #require(wide.count == (count + 2 * quarter) * Self.frames && ours.count == wide.count)
        var (sum, squares) = (0.0, 0.0)
        for frame in 0..<Self.frames {
            let begin = frame * (count + 2 * quarter)
            var chroma = [Double](repeating: 0, count: 2 * quarter)
            func compare(_ place: Int, _ sample: Double) {
                let error = Double(ours[begin + place]) - sample
                (sum, squares) = (sum + error, squares + error * error)
            }
            for y in 0..<height {
                for x in 0..<width {
                    let shared = y / 2 * (width / 2) + x / 2
                    let wanted = reference.converted(
                        (Double(wide[begin + y * width + x]) - 64) / 876,
                        (Double(wide[begin + count + shared]) - 512) / 896,
                        (Double(wide[begin + count + quarter + shared]) - 512) / 896)
                    compare(y * width + x, wanted[0] * 219 + 16)
                    chroma[shared] += wanted[1] / 4
                    chroma[quarter + shared] += wanted[2] / 4
                }
            }
            for (place, value) in chroma.enumerated() { compare(count + place, value * 224 + 128) }
        }
        return (sum / Double(ours.count), (squares / Double(ours.count)).squareRoot())
    }

    @Test(arguments: [
        ("smpte2084", "in.mp4", "", ToneReference(isHLG: false), "HDR (PQ, up to 1000 cd/m²)"),
        ("smpte2084", "in.mkv", ":\(display):max-cll=1600,400", .init(isHLG: false, peak: 1600), "up to 1600 cd/m²"),
        ("smpte2084", "in.mp4", ":\(display)", .init(isHLG: false, peak: 4000), "up to 4000 cd/m²"),
        ("arib-std-b67", "in.mov", "", .init(isHLG: true), "HDR (HLG, up to 1000 cd/m²)"),
    ]) func `HDR in 8 bits is SDR of high definition`(
        transfer: String, name: String, parameters: String, reference: ToneReference, words: String
    ) async throws {
        let input = try await movie(name, transfer, parameters)
        var settings = ExportSettings(preset: "h264")
        settings.rateControl = .quality(100)
        let result = try await export(input, settings, to: "out.mp4")
        let note = try #require(result.notes.first { $0.contains("is tone-mapped to SDR; ") })
        #expect(note.contains(words) && note.hasSuffix("10 keeps it."))
        let video = try #require(try await FFProbe.inspect(folder.file("out.mp4")).video.first)
        #expect([video.colorPrimaries, video.colorTransfer, video.colorSpace].allSatisfy { $0 == "bt709" })
        #expect(video.pixFmt == "yuv420p" && video.sideDataList == nil)
        let difference = try await difference(folder.file("out.mp4"), input, reference)
        #expect(abs(difference.mean) < 0.2 && difference.square < 1, "\(difference)")
    }

    @Test func `HDR of 10 bits stays as it is`() async throws {
        let input = try await movie("in.mp4", "smpte2084", ":\(Self.display):max-cll=1600,400")
        var settings = ExportSettings(preset: "hevc")
        settings.reencodes = true
        let result = try await export(input, settings, to: "out.mp4")
        #expect(!result.notes.contains { $0.contains("HDR") }, "\(result.notes)")
        let video = try #require(try await FFProbe.inspect(folder.file("out.mp4")).video.first)
        #expect(video.colorTransfer == "smpte2084" && video.colorPrimaries == "bt2020")
        #expect(try await FFmpeg.psnr(of: folder.file("out.mp4"), reference: input) > 38)
        // The first frame has one set of parameters, its own, and nothing that nobody has written.
        #expect(try await units(ofFirstFrame: folder.file("out.mp4")) == [32, 33, 34, 39, 39, 39, 20])
        settings.bitDepth = 8
        let flat = try await export(input, settings, to: "flat.mp4")
        #expect(flat.notes.contains { $0.contains("is tone-mapped to SDR") }, "\(flat.notes)")
        #expect(try await FFProbe.inspect(folder.file("flat.mp4")).video.first?.colorTransfer == "bt709")
    }

    @Test func `a pipeline that is printed tells it`() async throws {
        let input = try await movie("in.mp4", "smpte2084")
        for (preset, isMapped) in [("h264", true), ("hevc-10bit", false)] {
            var settings = ExportSettings(preset: preset)
            settings.reencodes = true
            let text = try await ExportSession.pipeline(
                input: FilePath(input), settings: settings,
                destination: MovieDestination(FilePath(folder.file("never.mp4"))))
            #expect(text.contains("# Rushes makes SDR of the frames") == isMapped, "\(text)")
        }
    }

    @Test func `a look-up table makes SDR of HDR in 8 bits, and keeps HDR in 10`() async throws {
        let input = try await movie("in.mp4", "arib-std-b67")
        let table = folder.file("same.cube")
        try Data("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8).write(to: URL(filePath: table))
        var settings = ExportSettings(preset: "h264")
        settings.lookupTable = FilePath(table)
        settings.rateControl = .quality(98)
        let result = try await export(input, settings, to: "out.mp4")
        #expect(result.notes.contains { $0.contains("is taken to make SDR of HDR (HLG), so") }, "\(result.notes)")
        let video = try #require(try await FFProbe.inspect(folder.file("out.mp4")).video.first)
        #expect([video.colorPrimaries, video.colorTransfer, video.colorSpace].allSatisfy { $0 == "bt709" })
        // Red, green and blue are what the table made of them, which changes nothing.
        let reference = folder.file("reference.mkv")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", input, "-vf", "scale=in_color_matrix=bt2020:out_color_matrix=bt709"]
                + ["-sws_flags", "accurate_rnd+full_chroma_int+full_chroma_inp+bicubic", "-c:v", "ffv1", reference])
        #expect(try await FFmpeg.psnr(of: folder.file("out.mp4"), reference: reference) > 36)
        settings.preset = "hevc-10bit"
        settings.rateControl = .standard
        let deep = try await export(input, settings, to: "deep.mp4")
        #expect(deep.notes.contains { $0.hasPrefix("The movie keeps the tags of HDR (HLG)") }, "\(deep.notes)")
        #expect(try await FFProbe.inspect(folder.file("deep.mp4")).video.first?.colorTransfer == "arib-std-b67")
    }

    @Test func `HDR in RGB becomes SDR as that of luma and chroma does`() async throws {
        let input = try await movie("in.mp4", "smpte2084")
        let colors = folder.file("rgb.mkv")
        try await Fixtures.make(
            colors, "ffmpeg",
            ["-nostdin", "-v", "error", "-i", input, "-vf", "scale=in_color_matrix=bt2020,format=gbrp10le"]
                + ["-c:v", "libx265", "-x265-params", "log-level=none:lossless=1", "-color_primaries", "bt2020"]
                + ["-color_trc", "smpte2084", "-colorspace", "rgb"])
        var settings = ExportSettings(preset: "h264")
        settings.rateControl = .quality(98)
        _ = try await export(input, settings, to: "planes.mp4")
        let result = try await export(colors, settings, to: "rgb.mp4")
        #expect(result.notes.contains { $0.contains("is tone-mapped to SDR") }, "\(result.notes)")
        let video = try #require(try await FFProbe.inspect(folder.file("rgb.mp4")).video.first)
        #expect([video.colorPrimaries, video.colorTransfer, video.colorSpace].allSatisfy { $0 == "bt709" })
        #expect(try await FFmpeg.psnr(of: folder.file("rgb.mp4"), reference: folder.file("planes.mp4")) > 36)
    }

    @Test func `a quality is aimed at among tone-mapped frames`() async throws {
        let input = try await movie("in.mp4", "smpte2084")
        var settings = ExportSettings(preset: "h264")
        settings.targetQuality = TargetQuality(.ssim, 0.98)
        let result = try await export(input, settings, to: "out.mp4")
        #expect(result.notes.contains { $0.contains("is tone-mapped to SDR") }, "\(result.notes)")
        let difference = try await difference(folder.file("out.mp4"), input, ToneReference(isHLG: false))
        #expect(abs(difference.mean) < 0.7 && difference.square < 5, "\(difference)")
    }
}
