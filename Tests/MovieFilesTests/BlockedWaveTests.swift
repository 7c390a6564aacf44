import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@Suite(.requires(tool: "ffmpeg", package: "ffmpeg")) struct BlockedWaveTests {
    @Test(arguments: ["adpcm_ima_wav", "adpcm_ms"]) func `ADPCM lasts as long as its blocks`(codec: String) async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("in.wav")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1.3:sample_rate=44100", "-ac", "2"]
                + ["-c:a", codec, path])
        let duration = try #require(BlockedWave(reading: FilePath(path))).duration
        let decoded = try await FFmpeg.audio(of: path, rate: 44_100).count
        #expect(abs(duration.seconds - Double(decoded) / 44_100) < 0.03, "\(duration), \(decoded)")
        // Whatever its head says of bytes a second.
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.replaceSubrange(28..<32, with: [0xFF, 0xFF, 0, 0])
        try bytes.write(to: URL(filePath: path))
        #expect(BlockedWave(reading: FilePath(path))?.duration == duration)
    }

    @Test func `nothing else is taken for it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("in.wav")
        let head = Array("RIFF".utf8) + [0, 0, 0, 0] + "WAVE".utf8 + "fmt ".utf8
        for bytes in [
            [], head, head + [16, 0, 0, 0, 1, 0], head + [20, 0, 0, 0] + [UInt8](repeating: 0, count: 40),
            head + [20, 0, 0, 0, 17, 0] + [UInt8](repeating: 0, count: 18) + "data".utf8 + [255, 255, 255, 255],
        ] {
            try Data(bytes).write(to: URL(filePath: path))
            #expect(BlockedWave(reading: FilePath(path)) == nil)
        }
    }
}
