import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// Joins of movies whose audio begins before their video, or goes on behind it; judged by ffmpeg's decoder.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct JoinedAudioTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Parameters:
    ///   - start: when the first frame is shown, in seconds.
    ///   - audio: how long the audio lasts, which begins at 0.
    private func make(_ name: String, _ tone: Int, start: Int = 0, video: Int, audio: Int) async throws -> FilePath {
        let path = folder.file(name)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-itsoffset", "\(start)"]
                + ["-i", "testsrc2=size=96x64:rate=25:duration=\(video)", "-f", "lavfi"]
                + ["-i", "sine=\(tone):duration=\(audio):sample_rate=48000", "-map", "0:v", "-map", "1:a"]
                + [
                    "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-fps_mode", "passthrough", "-pix_fmt",
                    "yuv420p", "-c:a", "pcm_s16le",
                    path,
                ])
        return FilePath(path)
    }

    private func join(_ inputs: [FilePath]) async throws -> (notes: [String], seconds: Double) {
        let joined = FilePath(folder.file("joined.mov"))
        let result = try MovieJoin.join(inputs, to: joined, as: .movie(.mov), replacing: false)
        return (result.notes, Double(try await FFmpeg.audio(of: joined.string, rate: 48_000).count) / 48_000)
    }

    @Test func `the last movie's audio is whole, and what another one's loses is told`() async throws {
        let inputs = [
            try await make("a.mov", 440, video: 1, audio: 3), try await make("b.mov", 880, video: 1, audio: 3),
        ]
        let (notes, seconds) = try await join(inputs)
        // ffmpeg cuts PCM at its packets.
        #expect(abs(seconds - 4) < 0.03)
        #expect(notes == ["Left out: 2.00 s of audio that lies behind the last frame of its movie."])
    }

    @Test func `audio before the first frame is told`() async throws {
        let inputs = [
            try await make("a.mov", 440, start: 1, video: 1, audio: 2),
            try await make("b.mov", 880, start: 2, video: 1, audio: 3),
        ]
        let (notes, seconds) = try await join(inputs)
        #expect(abs(seconds - 2) < 0.03)
        #expect(notes == ["Left out: 3.00 s of audio that lies before the first frame of its movie."])
    }

    @Test func `of movies whose tracks last alike nothing is told`() async throws {
        let inputs = [
            try await make("a.mov", 440, video: 1, audio: 1), try await make("b.mov", 880, video: 1, audio: 1),
        ]
        let (notes, seconds) = try await join(inputs)
        #expect(notes.isEmpty && abs(seconds - 2) < 0.03, "\(notes)")
    }
}
