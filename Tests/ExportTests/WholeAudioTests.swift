import Encoding
import Errors
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

    /// Two packets and a part of a third prime the decoder, where they are as short as in calls.
    @Test(arguments: ["2.5", "5", "20"]) func `Opus is copied from Ogg into MP4 at the times that it has there`(
        milliseconds: String
    ) async throws {
        try await make(
            "in.opus", "sine=sample_rate=48000:duration=2", ["-c:a", "libopus", "-frame_duration", milliseconds])
        func times(_ name: String) async throws -> [Double] {
            try await FFProbe.packets("a:0", of: folder.file(name)).compactMap { $0.ptsTime?.value }
        }
        let wanted = try await times("in.opus")
        #expect(wanted.count >= 100)
        _ = try await export("in.opus", to: "out.mp4", "copy")
        let written = try await times("out.mp4")
        #expect(
            written.count == wanted.count && zip(written, wanted).allSatisfy { abs($0 - $1) < 0.0005 }, "\(written)")
        let (audio, input) = (
            try await FFmpeg.audio(of: folder.file("out.mp4"), rate: 48_000),
            try await FFmpeg.audio(of: folder.file("in.opus"), rate: 48_000)
        )
        #expect(audio.count >= input.count && zip(audio, input).allSatisfy { abs($0 - $1) < 0.001 })
    }

    @Test(arguments: ["stereo", "5.1(side)"]) func `TrueHD of an MP4 is decoded`(layout: String) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i"]
                + ["sine=sample_rate=48000:duration=1,aformat=channel_layouts=\(layout)", "-f", "lavfi", "-i"]
                + ["testsrc2=size=96x64:duration=1", "-c:a", "truehd", "-strict", "-2", "-c:v", "libx264"]
                + [folder.file("in.mp4")])
        let wanted = try await FFmpeg.audio(of: folder.file("in.mp4"), rate: 48_000)
        var settings = ExportSettings(preset: "h264")
        settings.audio = .codec(.pcm)
        _ = try await ExportSession(input: FilePath(folder.file("in.mp4")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mov"))))
        let audio = try await FFmpeg.audio(of: folder.file("out.mov"), rate: 48_000)
        #expect(abs(audio.count - wanted.count) <= 100, "\(audio.count), \(wanted.count)")
        #expect(zip(audio, wanted).reduce(0) { max($0, abs($1.0 - $1.1)) } < 0.001)
        #expect(
            try await FFProbe.inspect(folder.file("out.mov")).audio.first?.channels == (layout == "stereo" ? 2 : 6))
    }

    @Test func `To leave out all audio of a file that has nothing else is wrong usage`() async throws {
        try await make("in.wav", "sine=duration=0.5", [])
        var (track, codec) = (ExportSettings(preset: "h264"), ExportSettings(preset: "h264"))
        track.audioTracks = TrackSelection.none
        codec.audio = .codec(.none)
        for settings in [track, codec] {
            let failure = try await #require(throws: RushesError.self) {
                try await ExportSession(input: FilePath(folder.file("in.wav")), settings: settings)
                    .export(to: MovieDestination(FilePath(folder.file("out.mov"))))
            }
            #expect(failure.code == .invalidSettings, "\(failure)")
        }
    }

    /// What each holds beside its packets: how many, and of which size, is nothing that they all fill.
    @Test(
        arguments: Cases.taken(of: [
            ("in.wav", "libmp3lame"), ("in.wav", "mp2"), ("in.wav", "ac3"), ("in.w64", "pcm_s16le"),
            ("in.w64", "libmp3lame"), ("in.latm", "aac"),
        ]), [0.1, 1.3])
    func `Packets in WAV, Wave64 and LATM without a container come to the last one`(
        kind: (name: String, codec: String), length: Double
    ) async throws {
        try await make(kind.name, "sine=sample_rate=44100:duration=\(length)", ["-c:a", kind.codec])
        let wanted = try await FFmpeg.audio(of: folder.file(kind.name), rate: 44_100)
        var settings = ExportSettings(preset: "h264")
        settings.audio = .codec(.pcm)
        let result = try await ExportSession(input: FilePath(folder.file(kind.name)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.wav"))))
        let audio = try await FFmpeg.audio(of: folder.file("out.wav"), rate: 44_100)
        #expect(abs(audio.count - wanted.count) < 200, "\(audio.count), \(wanted.count): \(result.notes)")
    }

    private func number(_ value: Int) -> Data { withUnsafeBytes(of: UInt32(value).littleEndian) { Data($0) } }

    @Test func `WAV with bytes behind its last chunk, or a wrong size of its own, is read`() async throws {
        try await make("in.wav", "sine=sample_rate=44100:duration=1", ["-c:a", "pcm_s16le", "-bitexact"])
        let bytes = try Data(contentsOf: URL(filePath: folder.file("in.wav")))
        let list = Data("LIST".utf8) + number(16) + Data("INFOIART".utf8) + number(4) + Data("Ann\0".utf8)
        for count in [0, 3, 4, 7] {
            var other = bytes + list + Data(repeating: 0, count: count)
            other.replaceSubrange(4..<8, with: number(other.count + 140))
            try other.write(to: URL(filePath: folder.file("in\(count).wav")))
            _ = try await export("in\(count).wav", to: "out\(count).m4a")
            let audio = try await FFmpeg.audio(of: folder.file("out\(count).m4a"), rate: 44_100)
            #expect(abs(audio.count - 44_100) <= 1024, "\(count): \(audio.count)")
        }
    }

    @Test func `MP3 of an odd number of bytes in a WAV file is read`() async throws {
        try await make("in.wav", "sine=sample_rate=44100:duration=1.2", ["-c:a", "libmp3lame", "-bitexact"])
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.wav")))
        let data = try #require(bytes.range(of: Data("data".utf8)))
        // The last frame loses a byte, which one that fills up takes the place of, or two.
        let count = (bytes.count - data.upperBound - 4 - 1) | 1
        bytes = bytes.prefix(data.upperBound + 4 + count) + Data([0])
        bytes.replaceSubrange(data.upperBound..<data.upperBound + 4, with: number(count))
        bytes.replaceSubrange(4..<8, with: number(bytes.count - 8))
        try bytes.write(to: URL(filePath: folder.file("odd.wav")))
        _ = try await export("odd.wav", to: "out.m4a")
        let audio = try await FFmpeg.audio(of: folder.file("out.m4a"), rate: 44_100)
        #expect(audio.count > 50_000, "\(audio.count)")
    }
}
