import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// AVI, which has no times: what is counted there comes when ffmpeg says it does.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct AVIExportTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["adpcm_ms", "adpcm_ima_wav"]) func `ADPCM is whole and in its place`(codec: String) async throws {
        try await make("in.avi", "-c:v mjpeg -c:a \(codec) -ar 22050 -ac 1")
        for name in ["out.mov", "out.wav"] {
            _ = try await export("in.avi", to: name, audio: .codec(.pcm))
            let (audio, wanted) = (
                try await FFmpeg.audio(of: folder.file(name), rate: 22_050),
                try await FFmpeg.audio(of: folder.file("in.avi"), rate: 22_050)
            )
            #expect(audio.count == wanted.count, "\(name): \(audio.count) of \(wanted.count)")
            let distance = zip(audio, wanted).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
            #expect(distance < 0.001, "\(name): \(distance)")
        }
        var settings = ExportSettings(preset: "h264")
        settings.audio = .codec(.pcm)
        (settings.range, settings.reencodes) = (TimeRange(start: 1 * .second, end: 2 * .second), true)
        _ = try await ExportSession(input: FilePath(folder.file("in.avi")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("part.wav"))))
        let (part, all) = (
            try await FFmpeg.audio(of: folder.file("part.wav"), rate: 22_050),
            try await FFmpeg.audio(of: folder.file("in.avi"), rate: 22_050)
        )
        #expect(part.count == 22_050)
        #expect(zip(part, all.dropFirst(22_050)).allSatisfy { abs($0 - $1) < 0.001 })
    }

    @Test func `ADPCM, which has no times there, is not copied`() async throws {
        try await make("in.avi", "-c:v mjpeg -c:a adpcm_ima_wav -ar 22050 -ac 1")
        await #expect(throws: RushesError.self) { _ = try await export("in.avi", to: "out.mkv", "copy") }
    }

    private func decodedFrames(_ name: String) async throws -> [Substring] {
        let text = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", folder.file(name), "-map", "0:v", "-f", "framemd5", "-"]
        ).text
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
    }

    /// As some programs write it; the order of frames is told there and nowhere else.
    @Test func `MPEG-4 whose headers lie in those of the file alone is copied`() async throws {
        try await make("in.avi", "-map 0:v -c:v mpeg4 -bf 0 -flags +global_header -vtag DIVX")
        _ = try await export("in.avi", to: "out.mkv", "copy")
        #expect(try await FFProbe.packets("v:0", of: folder.file("out.mkv")).count == 90)
        #expect(try await decodedFrames("out.mkv") == decodedFrames("in.avi"))
        try await make("reordered.avi", "-map 0:v -c:v mpeg4 -bf 2 -flags +global_header -vtag DIVX")
        await #expect(throws: RushesError.self) { _ = try await export("reordered.avi", to: "copy.mkv", "copy") }
    }

    /// Each row begins like a video object layer of MPEG-4 whose frames are reordered by one.
    @Test func `frames whose bytes look like headers of another codec come at their times`() async throws {
        let row: [UInt8] = [0, 0, 1, 0x20] + [UInt8](repeating: 0x10, count: 188)
        let frame = [[UInt8]](repeating: row, count: 48).flatMap(\.self)
        try Data([[UInt8]](repeating: frame, count: 25).flatMap(\.self)).write(to: URL(filePath: folder.file("in.raw")))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", "64x48", "-r", "25"]
                + ["-i", folder.file("in.raw"), "-f", "lavfi", "-i", "sine=sample_rate=44100:duration=1"]
                + ["-c:v", "rawvideo", "-c:a", "pcm_s16le", folder.file("in.avi")])
        _ = try await export("in.avi")
        let report = try await FFProbe.inspect(folder.file("out.mov"))
        #expect(report.video.first?.startTime?.value == 0 && report.video.first?.nbFrames?.value == 25)
        #expect(abs((report.video.first?.duration?.value ?? 0) - 1) < 0.001)
    }
}
