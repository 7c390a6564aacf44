import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Interlaced inputs: what becomes of their fields, judged by ffmpeg's `idet`.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct FieldTests {
    struct Input: Sendable, CustomTestStringConvertible {
        var name: String
        /// Which field comes first.
        var first = "tff"
        /// ffmpeg's, for the output.
        var options: String
        var testDescription: String { "\(name) \(first) \(options)" }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two seconds of 25 frames, each of fields of two moments; waves that move fast.
    private func make(_ input: Input) async throws {
        let order = input.first == "tff" ? ["-top", "1", "-field_order", "tt"] : ["-top", "0", "-field_order", "bb"]
        let source =
            "color=size=192x96:rate=50:duration=2,format=gray,geq=lum='128+80*sin((X+5*N)/6)',"
            + "interlace=scan=\(input.first):lowpass=0"
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", source, "-flags", "+ildct+ilme"] + order
                + Tool.words(input.options) + [folder.file(input.name)])
    }

    @Test(arguments: [
        Input(name: "in.mpg", first: "bff", options: "-c:v mpeg2video -pix_fmt yuv420p -q:v 2"),
        Input(name: "in.mov", options: "-c:v rawvideo -pix_fmt uyvy422"),
        Input(name: "in.mkv", options: "-c:v ffv1 -pix_fmt yuv422p10le"),
    ])
    func `stay fields in ProRes, and its frames say so`(input: Input) async throws {
        try await make(input)
        let result = try await export(input.name, to: "out.mov", "prores-hq")
        let frames = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "frame=interlaced_frame,top_field_first"]
                + ["-of", "csv=p=0", folder.file("out.mov")]
        ).text.split(separator: "\n").map { $0.trimmingCharacters(in: [","]) }
        #expect(frames == Array(repeating: input.first == "tff" ? "1,1" : "1,0", count: 50), "\(result.notes)")
        #expect(try await interlaced("out.mov").fields > 40)
        #expect(try await FFmpeg.psnr(of: folder.file("out.mov"), reference: folder.file(input.name)) > 45)
        try await FFmpeg.decode(folder.file("out.mov"))
    }

    @Test func `a copied transport stream is not called progressive`() async throws {
        try await make(Input(name: "in.mts", options: "-c:v libx264 -x264-params tff=1 -pix_fmt yuv420p"))
        let result = try await export("in.mts", to: "out.mov", "copy")
        #expect(result.notes.contains { $0.contains("H.264 is copied as it is") }, "\(result.notes)")
        let told = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "stream=field_order", "-of", "csv=p=0"]
                + [folder.file("out.mov")])
        #expect(told.text.contains("tt"), "\(told.text)")
    }

    private func export(
        _ name: String, to output: String, _ preset: String = "h264",
        _ deinterlacing: ExportSettings.Deinterlacing = .automatic
    ) async throws -> ExportResult {
        var settings = ExportSettings(preset: preset)
        settings.deinterlacing = deinterlacing
        return try await ExportSession(input: FilePath(folder.file(name)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(output))))
    }

    /// How many of a movie's frames ffmpeg takes for interlaced, and how many there are.
    private func interlaced(_ name: String) async throws -> (fields: Int, all: Int) {
        let words = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-nostats", "-i", folder.file(name), "-fps_mode", "passthrough"]
                + ["-vf", "idet", "-f", "null", "-"]
        ).errors
        let found = try #require(
            words.firstMatch(
                of: /Single frame detection: TFF: *(\d+) BFF: *(\d+) Progressive: *(\d+) Undetermined: *(\d+)/))
        let numbers = [found.1, found.2, found.3, found.4].compactMap { Int($0) }
        return (numbers[0] + numbers[1], numbers.reduce(0, +))
    }

    /// When the frames of a movie are shown, in seconds.
    private func times(_ name: String) async throws -> [Double] {
        try await FFProbe.packets("v:0", of: folder.file(name)).compactMap { $0.ptsTime?.value }.sorted()
    }

    static let deep = [
        Input(name: "in.mov", options: "-c:v prores_ks -profile:v 2 -pix_fmt yuv422p10le"),
        Input(name: "4444.mov", options: "-c:v prores_ks -profile:v 4 -pix_fmt yuv444p10le"),
        Input(name: "in.mkv", options: "-c:v ffv1 -pix_fmt yuv420p10le"),
        Input(name: "in.mkv", first: "bff", options: "-c:v ffv1 -pix_fmt yuv422p10le"),
    ]

    @Test(arguments: deep) func `of more than 8 bits become frames too, and so it is told`(input: Input) async throws {
        try await make(input)
        #expect(try await interlaced(input.name).fields > 40)
        let told = "is interlaced and is deinterlaced"
        let result = try await export(input.name, to: "out.mp4")
        #expect(try await interlaced("out.mp4").fields < 15, "\(result.notes)")
        #expect(result.notes.contains { $0.contains(told) }, "\(result.notes)")
        #expect(try await times("out.mp4").count == 50)
        #expect(!result.notes.contains { $0.contains("8 bits a sample") }, "it has 8 bits: \(result.notes)")
        let deeper = try await export(input.name, to: "deep.mov", "prores-422", .always)
        #expect(try await interlaced("deep.mov").fields < 15, "\(deeper.notes)")
        #expect(deeper.notes.contains { $0.contains("8 bits a sample") }, "\(deeper.notes)")
        let kept = try await export(input.name, to: "kept.mp4", "h264", .never)
        #expect(try await interlaced("kept.mp4").fields > 40, "\(kept.notes)")
        #expect(!kept.notes.contains { $0.contains(told) }, "\(kept.notes)")
    }

    @Test func `that are asked for of progressive frames of more than 8 bits are made`() async throws {
        let movie = try await MadeMovie("in.mov", "-c:v prores_ks -profile:v 4 -pix_fmt yuva444p10le -an", seconds: 1)
        var settings = ExportSettings(preset: "h264")
        settings.deinterlacing = .always
        _ = try await movie.export(settings, to: "out.mp4")
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<25))
    }

    static let unseen = [
        Input(name: "in.mp4", options: "-c:v libx264 -pix_fmt yuv420p -x264-params tff=1"),
        Input(name: "in.mov", first: "bff", options: "-c:v rawvideo -pix_fmt uyvy422"),
    ]

    @Test(arguments: unseen) func `become frames where neither a parser nor a demuxer tells of them`(
        input: Input
    ) async throws {
        try await make(input)
        let result = try await export(input.name, to: "out.mp4")
        #expect(try await interlaced("out.mp4").fields < 15, "\(result.notes)")
        #expect(result.notes.contains { $0.contains("is deinterlaced") }, "\(result.notes)")
        #expect(!result.notes.contains { $0.contains("H.264 is copied") }, "\(result.notes)")
        #expect(try await times("out.mp4").count == 50)
    }

    static let ordered = [
        Input(name: "in.mkv", first: "bff", options: "-c:v ffv1 -pix_fmt yuv420p"),
        Input(name: "huffyuv.mkv", first: "bff", options: "-c:v huffyuv -pix_fmt yuv422p"),
        Input(name: "444.mkv", options: "-c:v ffv1 -pix_fmt yuv444p"),
        Input(name: "in.mp4", first: "bff", options: "-c:v libx264 -pix_fmt yuv420p -x264-params bff=1"),
        Input(name: "in.mpg", first: "bff", options: "-c:v mpeg2video -pix_fmt yuv420p -q:v 2"),
    ]

    @Test(arguments: Cases.taken(of: ordered, most: 2))
    func `become as many frames, whichever comes first, one behind the other`(
        input: Input
    ) async throws {
        try await make(input)
        var settings = MadeMovie.settings()
        settings.deinterlacing = .automatic
        let result = try await ExportSession(input: FilePath(folder.file(input.name)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        let times = try await times("out.mp4")
        #expect(times.count == 50, "\(result.notes)")
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.002 }, "\(times)")
        #expect(try await interlaced("out.mp4").fields < 15, "\(result.notes)")
    }
}
