import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// How much audio is in Matroska, whose last packet holds more than went in.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct PacketEndTests {
    private func samples(_ path: String) async throws -> Int {
        try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", path, "-map", "0:a", "-ac", "1", "-f", "s16le", "-"]
        ).output.count / 2
    }

    /// - Parameter lead: Samples that prime the decoder, with which AAC begins; frames begin as much later.
    @Test(arguments: [("aac", 48_000, 1024), ("aac", 44_100, 1024), ("opus", 48_000, 0), ("flac", 44_100, 0)])
    func `encoded audio has as many samples as went in, and begins with the first frame`(
        codec: String, rate: Int, lead: Int
    ) async throws {
        let folder = try TemporaryFolder()
        let count = rate + 301
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2", "-f", "lavfi"]
                + ["-i", "aevalsrc='0.8*lt(abs(t-0.5),0.001)':s=\(rate)"]
                + ["-af", "atrim=end_sample=\(count)", "-c:v", "libx264", "-c:a", "pcm_s16le", folder.file("in.mov")])
        var settings = MadeMovie.settings()
        settings.audio = .codec(try #require(AudioCodec(rawValue: codec)))
        let output = folder.file("out.mkv")
        _ = try await ExportSession(input: FilePath(folder.file("in.mov")), settings: settings)
            .export(to: MovieDestination(FilePath(output)))
        let found = try await samples(output)
        #expect(found == count + lead)
        // Half a second behind the first frame, in the file as in its copy, whose edits hide what primes.
        let audio = try await FFmpeg.audio(of: output, rate: rate)
        let click = try #require(audio.indices.max { abs(audio[$0]) < abs(audio[$1]) })
        let start = try await FFProbe.frames("v:0", of: output).first?.ptsTime?.value ?? .nan
        #expect(abs(Double(click) / Double(rate) - 0.5 - start) < 0.003, "\(click) and \(start)")
        #expect(abs(start - Double(lead) / Double(rate)) < 0.001)
        // ffmpeg writes no Opus into QuickTime.
        let copy = folder.file("copy.mp4")
        _ = try await ExportSession(input: FilePath(output), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(copy)))
        let copied = try await FFProbe.inspect(copy).audio.first?.duration?.value ?? .nan
        #expect(abs(copied - Double(count + lead) / Double(rate)) < 0.001, "\(copied)")
    }
}
