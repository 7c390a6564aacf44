import Encoding
import Errors
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Core Audio files, read as ffmpeg reads them.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct CoreAudioTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ options: String, rate: Int = 44_100) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                "aevalsrc=sin(2*PI*(200+150*t)*t)*0.4|sin(2*PI*300*t)*0.3:s=\(rate):d=1.3",
            ] + options.split(separator: " ").map(String.init) + [folder.file(name)])
    }

    private func export(_ input: String, _ preset: String, to output: String) async throws -> ExportResult {
        var settings = ExportSettings(preset: preset)
        if output.hasSuffix("mov"), preset != "copy" { settings.audio = .codec(.pcm) }
        return try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(output))))
    }

    @Test(arguments: [
        ("pcm_s16be", 44_100), ("pcm_s24le", 96_000), ("pcm_f32le", 48_000), ("pcm_s8", 22_050), ("alac", 44_100),
        ("adpcm_ima_qt", 44_100), ("pcm_mulaw", 8000), ("pcm_alaw", 8000), ("libopus", 48_000),
    ])
    func `audio comes from its first sample to its last, encoded and copied`(codec: String, rate: Int) async throws {
        try await make("in.caf", "-c:a \(codec) -metadata title=Night", rate: rate)
        let wanted = try await FFmpeg.audio(of: folder.file("in.caf"), rate: rate)
        #expect(wanted.count >= rate * 13 / 10)
        // QuickTime has no place for Opus.
        let copy = codec == "libopus" ? "copy.mp4" : "copy.mov"
        for (preset, output) in [("h264", "out.wav"), ("copy", copy)] {
            let result = try await export("in.caf", preset, to: output)
            let audio = try await FFmpeg.audio(of: folder.file(output), rate: rate)
            #expect(audio.count == wanted.count, "\(output): \(result.notes)")
            // libopus decodes a little otherwise than ffmpeg.
            let tolerance: Float = codec == "libopus" ? 0.02 : 0.001
            #expect(zip(audio, wanted).allSatisfy { abs($0 - $1) < tolerance }, "\(output)")
        }
        let info = try MovieInfo(contentsOf: FilePath(folder.file("in.caf")))
        #expect(info.container == "caf" && info.title == "Night" && info.complete)
        let report = try await FFProbe.inspect(folder.file("in.caf"))
        #expect(info.audio.first?.codec == report.audio.first?.codecName)
        #expect(info.audio.first?.channels == 2 && info.audio.first?.sampleRate == rate)
        #expect(try MovieInfo(contentsOf: FilePath(folder.file(copy))).title == "Night")
    }

    /// A recorder that was killed has not written yet how long it became.
    @Test func `a file that does not know its length is read to its end, and one that is cut off is refused`()
        async throws
    {
        try await make("in.caf", "-c:a pcm_s16le")
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.caf")))
        let length = try #require(bytes.range(of: Data("data".utf8))).upperBound
        try bytes.dropLast(1000).write(to: URL(filePath: folder.file("short.caf")))
        let error = await #expect(throws: RushesError.self) { try await export("short.caf", "h264", to: "a.wav") }
        #expect(
            error.map { "\($0)".contains("short.caf cannot be read: it is cut off") } == true,
            "\(String(describing: error))")
        bytes.replaceSubrange(length..<length + 8, with: Data(repeating: 0xFF, count: 8))
        try bytes.write(to: URL(filePath: folder.file("open.caf")))
        _ = try await export("open.caf", "h264", to: "out.wav")
        let wanted = try await FFmpeg.audio(of: folder.file("in.caf"), rate: 44_100)
        #expect(try await FFmpeg.audio(of: folder.file("out.wav"), rate: 44_100).count == wanted.count)
    }
}
