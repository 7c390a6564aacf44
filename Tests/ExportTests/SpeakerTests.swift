import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Audio of more than two channels stays what it is: as many channels, each from where it came; judged by ffmpeg.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct SpeakerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A second of 48 kHz in which each channel has a tone of its own, of 300, 500, 700 … Hz.
    private func make(_ layout: String, _ channels: Int, _ name: String = "in.wav", codec: String = "pcm_s16le")
        async throws
    {
        let tones = (0..<channels).map { "0.2*sin(2*PI*\(300 + 200 * $0)*t)" }.joined(separator: "|")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "aevalsrc=\(tones):s=48000:d=1:channel_layout=\(layout)"]
                + ["-c:a", codec, "-strict", "-2", folder.file(name)])
    }

    private func export(_ output: String, from input: String = "in.wav", _ audio: AudioCodec? = nil) async throws
        -> [String]
    {
        var settings = ExportSettings(preset: "h264")
        if let audio { settings.audio = .codec(audio) }
        return try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(output)))).notes
    }

    private func samples(_ name: String) async throws -> Data {
        try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", folder.file(name), "-map", "0:a:0", "-f", "s16le", "-"]
        ).output
    }

    private func described(_ name: String) async throws -> (channels: Int, layout: String) {
        let audio = try await FFProbe.inspect(folder.file(name)).audio.first
        return (audio?.channels ?? 0, audio?.channelLayout ?? "")
    }

    /// The tone of each channel in hertz, by how often it goes through zero.
    private func tones(_ name: String, _ channels: Int) async throws -> [Int] {
        var tones: [Int] = []
        for channel in 0..<channels {
            let audio = try await FFmpeg.audio(of: folder.file(name), rate: 48_000, channel: channel).dropFirst(12_000)
                .prefix(24_000)
            tones.append(zip(audio, audio.dropFirst()).count { ($0 < 0) != ($1 < 0) })
        }
        return tones
    }

    @Test(arguments: [
        ("5.1(side)", 6, "5.1"), ("5.0(side)", 5, "5.0"), ("quad(side)", 4, "quad"), ("6.1", 7, ""), ("7.1", 8, "7.1"),
        ("5.1", 6, "5.1"),
    ])
    func `in FLAC each channel keeps its samples`(layout: String, channels: Int, told: String) async throws {
        try await make(layout, channels)
        let lines = try await export("out.flac")
        #expect(lines.allSatisfy { !$0.contains("channels") }, "\(lines)")
        let (count, name) = try await described("out.flac")
        #expect(count == channels && (told.isEmpty || name == told || name == told + "(side)"), "\(count) \(name)")
        #expect(try await samples("out.flac") == samples("in.wav"))
    }

    @Test(arguments: [("5.1(side)", 6), ("5.0(side)", 5), ("6.1(back)", 7), ("6.1", 7), ("7.1", 8)])
    func `in Opus and AAC each channel is heard where it was`(layout: String, channels: Int) async throws {
        try await make(layout, channels)
        for (output, codec) in [("out.mka", AudioCodec.opus), ("out.m4a", .aac)] where codec == .opus || channels < 7 {
            _ = try await export(output, codec)
            let (count, name) = try await described(output)
            #expect(count == channels, "\(output): \(name)")
            if codec == .aac { #expect(name == (channels == 6 ? "5.1" : "5.0")) }
            let heard = try await tones(output, channels)
            // ffmpeg hands 6.1 out with the center before the sides, which are the rear pair of the other.
            let wanted =
                layout == "6.1(back)" ? [300, 500, 700, 900, 1500, 1100, 1300] : (0..<channels).map { 300 + 200 * $0 }
            // AAC has no more than bass for the fourth.
            #expect(
                zip(heard, wanted).enumerated().filter { codec == .opus || channels < 6 || $0.offset != 3 }.map(
                    \.element
                ).allSatisfy { abs($0 - $1) < 20 }, "\(output): \(heard)")
        }
    }

    @Test(arguments: [("2.1", 3, 2), ("4.0", 4, 3), ("7.1(wide)", 8, 6)])
    func `what a codec has no place for is mixed down, which is told`(layout: String, channels: Int, left: Int)
        async throws
    {
        try await make(layout, channels)
        for (output, codec, name) in [("out.flac", AudioCodec.flac, "FLAC"), ("out.mka", .opus, "Opus")] {
            let lines = try await export(output, codec)
            #expect(
                lines.contains("\(name) has no place for these \(channels) channels; they are mixed down to \(left)."),
                "\(lines)")
            #expect(try await described(output).channels == left)
        }
    }

    @Test(arguments: [
        ("6.1", 7, "flac", "flac"), ("7.1", 8, "flac", "flac"), ("5.0", 5, "opus", "libopus"),
        ("6.1", 7, "opus", "libopus"),
        ("7.1", 8, "opus", "libopus"),
    ])
    func `what others have written is read as it is`(
        layout: String, channels: Int, ending: String, codec: String
    ) async throws {
        try await make(layout, channels, "in.\(ending)", codec: codec)
        _ = try await export("out.wav", from: "in.\(ending)", .pcm)
        let heard = try await tones("out.wav", channels)
        #expect(heard.enumerated().allSatisfy { abs($0.element - (300 + 200 * $0.offset)) < 20 }, "\(heard)")
        #expect(try await described("out.wav") == (channels, layout))
    }

    @Test func `DTS of a disc keeps its six channels`() async throws {
        try await make("5.1(side)", 6, "in.mka", codec: "dca")
        _ = try await export("out.flac", from: "in.mka")
        let (channels, heard) = (try await described("out.flac").channels, try await tones("out.flac", 6))
        #expect(channels == 6)
        for channel in [0, 1, 2, 4, 5] { #expect(abs(heard[channel] - (300 + 200 * channel)) < 20, "\(heard)") }
    }

    @Test(arguments: [("7.1", 8), ("5.1(side)", 6), ("5.1", 6), ("quad(side)", 4)])
    func `WAV names the speakers as they were`(layout: String, channels: Int) async throws {
        try await make(layout, channels)
        _ = try await export("out.wav", .pcm)
        #expect(try await described("out.wav") == (channels, layout))
        #expect(try await samples("out.wav") == samples("in.wav"))
    }
}
