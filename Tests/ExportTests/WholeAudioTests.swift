import Encoding
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Audio that is heard from its first sample to its last, and no longer: as ffmpeg decodes it.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct WholeAudioTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ source: String, _ options: [String]) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", source] + options + [folder.file(name)])
    }

    private func export(_ input: String, to output: String, _ preset: String = "h264") async throws -> ExportResult {
        try await ExportSession(input: FilePath(folder.file(input)), settings: ExportSettings(preset: preset))
            .export(to: MovieDestination(FilePath(folder.file(output))))
    }

    /// At the lower rate a whole frame only primes the decoder.
    @Test(arguments: [11_025, 44_100], ["Lavc", "LAME"])
    func `MP3 is heard without what primes its decoder and fills it up`(rate: Int, name: String) async throws {
        try await make(
            "in.mp3", "aevalsrc=sin(2*PI*(200+300*t)*t)*0.5:s=\(rate):d=1.3", ["-c:a", "libmp3lame", "-q:a", "4"])
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.mp3")))
        let head = bytes.prefix(600)
        let tag = try #require(head.range(of: Data("Info".utf8)) ?? head.range(of: Data("Xing".utf8)))
        let place = try #require(
            head[tag.upperBound...].range(of: Data("Lavc".utf8)) ?? head[tag.upperBound...].range(of: Data("Lavf".utf8))
        )
        bytes.replaceSubrange(place, with: Data(name.utf8))
        try bytes.write(to: URL(filePath: folder.file("in.mp3")))
        _ = try await export("in.mp3", to: "out.wav")
        let wanted = try await FFmpeg.audio(of: folder.file("in.mp3"), rate: rate)
        let audio = try await FFmpeg.audio(of: folder.file("out.wav"), rate: rate)
        #expect(abs(wanted.count - audio.count) <= 1)
        #expect(zip(audio, wanted).allSatisfy { abs($0 - $1) < 0.002 })
    }

    @Test func `the one channel of a WAV file may have any name`() async throws {
        try await make(
            "in.wav", "sine=duration=1:sample_rate=44100", ["-af", "aformat=channel_layouts=FL", "-c:a", "pcm_f32le"])
        for output in ["a.m4a", "a.flac", "a.mp4", "a.wav"] {
            _ = try await export("in.wav", to: output)
            let audio = try await FFmpeg.audio(of: folder.file(output), rate: 44_100)
            #expect(audio.count >= 44_100 && audio.contains { abs($0) > 0.05 }, "\(output)")
        }
    }

    @Test func `Opus whose last packet is hardly heard is copied`() async throws {
        // 312 samples prime the decoder; of the last packet of 5,760 one is heard.
        try await make(
            "in.opus", "sine=sample_rate=48000",
            ["-af", "atrim=end_sample=\(5760 * 10 + 1 - 312)", "-c:a", "libopus", "-frame_duration", "120"])
        for output in ["out.mkv", "out.mka", "out.webm"] {
            _ = try await export("in.opus", to: output, "copy")
            let audio = try await FFmpeg.audio(of: folder.file(output), rate: 48_000)
            #expect(audio.count >= 5760 * 10 - 312, "\(output)")
        }
    }
}
