import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// AIFF whose last chunk is empty, as editors leave it that take all tags away: GStreamer's reader gives nothing of it.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct EmptyChunkTests {
    private func samples(_ file: String) async throws -> Data {
        try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", file, "-f", "s16le", "-c:a", "pcm_s16le", "-"]
        ).output
    }

    @Test(arguments: ["out.mov", "out.wav", "out.mkv"]) func `is copied to the bit`(name: String) async throws {
        let folder = try TemporaryFolder()
        let input = folder.file("in.aiff")
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "pcm_s16be", input])
        var bytes = try Data(contentsOf: URL(filePath: input)) + Data("ID3 ".utf8) + Data(count: 4)
        bytes.replaceSubrange(4..<8, with: withUnsafeBytes(of: UInt32(bytes.count - 8).bigEndian, Array.init))
        try bytes.write(to: URL(filePath: input))
        let result = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(folder.file(name))))
        let wanted = try await samples(input)
        #expect(wanted.count == 88_200)
        #expect(try await samples(folder.file(name)) == wanted, "\(result.notes)")
    }
}
