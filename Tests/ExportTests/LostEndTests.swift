import Encoding
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// An input that lasts longer than what comes of it.
@Suite(.serialized, .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct LostEndTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func notes(_ input: String) async throws -> [String] {
        var settings = ExportSettings(preset: "h264")
        settings.reencodes = true
        return try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mov")), replacesExisting: true)).notes
    }

    @Test func `a frame that an edit hides at the end is none that is missing`() async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=3"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-pix_fmt", "yuv420p"]
                + ["-bsf:v", "setts=duration=if(eq(N\\,74)\\,1\\,DURATION)", folder.file("in.mp4")])
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.mp4")))
        // Its length in the movie's ticks (ISO/IEC 14496-12, 8.6.6): up to when the last frame would be shown.
        let place = try #require(bytes.firstRange(of: Data("elst".utf8))).upperBound + 8
        withUnsafeBytes(of: UInt32(2960).bigEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
        try bytes.write(to: URL(filePath: folder.file("in.mp4")))
        let told = try await notes("in.mp4")
        #expect(told.allSatisfy { !$0.contains("missing") }, "\(told)")
        #expect(try await FFProbe.packets("v:0", of: folder.file("out.mov")).count == 74)
    }

    @Test func `what the input says it has and nothing gives is told, and a whole one is not accused`() async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=30:duration=3", "-f", "lavfi"]
                + ["-i", "sine=frequency=440:duration=3", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]
                + ["-pix_fmt", "yuv420p", folder.file("whole.mkv")])
        #expect(try await notes("whole.mkv").allSatisfy { !$0.contains("before the input") })
        var bytes = try Data(contentsOf: URL(filePath: folder.file("whole.mkv")))
        // Duration, 8 bytes of floating point in milliseconds (RFC 9559, 5.1.2.10).
        let place = try #require(bytes.firstRange(of: Data([0x44, 0x89, 0x88]))).upperBound
        withUnsafeBytes(of: 4000.0.bitPattern.bigEndian) { bytes.replaceSubrange(place..<place + 8, with: $0) }
        try bytes.write(to: URL(filePath: folder.file("short.mkv")))
        let told = try await notes("short.mkv")
        #expect(told.contains { $0.contains("before the input, which lasts 4.00 s") }, "\(told)")
    }
}
