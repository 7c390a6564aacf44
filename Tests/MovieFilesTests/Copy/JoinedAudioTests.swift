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
    private func make(_ name: String, _ tone: Int, start: Int = 0, video: Double, audio: Double) async throws
        -> FilePath
    {
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
        #expect(notes == ["Left out: 2.00 s of audio that lies after the last frame of its movie."])
    }

    /// Of movies of a few frames a tenth of a second is much.
    @Test(arguments: [(0.12, 0.19, 0.07), (0.12, 0.15, 0)])
    func `what a short movie's audio loses is told from a frame on`(video: Double, audio: Double, lost: Double)
        async throws
    {
        let inputs = [
            try await make("a.mov", 440, video: video, audio: audio),
            try await make("b.mov", 880, video: video, audio: audio),
        ]
        let (notes, seconds) = try await join(inputs)
        #expect(
            notes
                == (lost == 0
                    ? []
                    : [String(format: "Left out: %.2f s of audio that lies after the last frame of its movie.", lost)])
        )
        // ffmpeg cuts PCM at its packets: 5,760 samples of 0.12 s end with the sixth one of 1,024, which is 0.008 s more, twice at most.
        #expect(abs(seconds - 2 * video - lost) < 0.017)
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

    /// A recorder that stops its audio first, as most do.
    @Test(arguments: [("mov", "pcm_s16le", 0.99, false), ("mp4", "aac", 0.85, true), ("mov", "aac", 0.5, true)])
    func `audio that ends before its frames pauses, and begins with the next movie's`(
        type: String, codec: String, audio: Double, isTold: Bool
    ) async throws {
        var inputs: [FilePath] = []
        for (name, tone) in [("a", 440), ("b", 880), ("c", 660)] {
            let path = folder.file("\(name).\(type)")
            _ = try await Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=1", "-f",
                    "lavfi",
                ]
                    + ["-i", "sine=\(tone):duration=\(audio):sample_rate=48000", "-c:v", "libx264", "-bf", "0"]
                    + ["-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", codec, path])
            inputs.append(FilePath(path))
        }
        let joined = FilePath(folder.file("joined.\(type)"))
        let result = try MovieJoin.join(
            inputs, to: joined, as: .movie(type == "mov" ? .mov : .mp4), replacing: false)
        #expect(result.notes.isEmpty != isTold && result.notes.allSatisfy { $0.contains("Audio pauses for") })
        let url = URL(filePath: joined.string)
        try await Judge.decodesWithoutAWord(url)
        let probe = try await Judge.ffprobe(url)
        #expect(probe.video?.length == 3 && abs((probe.audio?.length ?? 0) - 2 - audio) < 0.03)
        // Each movie's tone, where ffmpeg presents it.
        let result16 = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", joined.string, "-map", "0:a", "-af", "aresample=async=1:first_pts=0",
                "-ac", "1", "-ar", "48000", "-f", "s16le", "-",
            ])
        let samples = result16.output.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        for (index, tone) in [440, 880, 660].enumerated() {
            for (begin, end) in [(0.03, 0.13), (audio - 0.13, audio - 0.03)] {
                let from = Int((Double(index) + begin) * 48_000), to = Int((Double(index) + end) * 48_000)
                let piece = samples[from..<to]
                let crossings = zip(piece, piece.dropFirst()).count { ($0 < 0) != ($1 < 0) }
                #expect(abs(Double(crossings) / 2 / (end - begin) - Double(tone)) < 25, "\(index) \(begin)")
            }
        }
        // Copies of other programs have it too.
        let copy = folder.file("copy.\(type)")
        _ = try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error", "-i", joined.string, "-c", "copy", copy])
        let copied = try await Judge.ffprobe(URL(filePath: copy))
        #expect(abs((copied.audio?.length ?? 0) - 2 - audio) < 0.05)
    }

    @Test func `of movies whose tracks last alike nothing is told`() async throws {
        let inputs = [
            try await make("a.mov", 440, video: 1, audio: 1), try await make("b.mov", 880, video: 1, audio: 1),
        ]
        let (notes, seconds) = try await join(inputs)
        #expect(notes.isEmpty && abs(seconds - 2) < 0.03, "\(notes)")
    }
}
