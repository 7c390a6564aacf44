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

    @Test(
        arguments: Cases.taken(
            of: [("5.1(side)", 6), ("5.0(side)", 5), ("6.1(back)", 7), ("6.1", 7), ("7.1", 8)], most: 2))
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

    /// QuickTime's audio without a word on its channels, as recorders write it: the first is twice as loud as the others.
    private func makeUnnamed(_ channels: Int) async throws {
        let tones = (0..<channels).map { "c\($0)=\($0 == 0 ? 0.4 : $0 % 2 == 0 ? 0 : 0.2)*c0" }.joined(separator: "|")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "aevalsrc='0.5*sin(2*PI*500*t)':s=48000:d=1"]
                + ["-af", "pan=\(channels)c|\(tones)", "-c:a", "pcm_s16le", folder.file("in.mov")])
        // What ffmpeg says of those that have usual names is taken away.
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.mov")))
        while let name = bytes.range(of: Data("chan".utf8)) { bytes.replaceSubrange(name, with: "free".utf8) }
        try bytes.write(to: URL(filePath: folder.file("in.mov")))
    }

    @Test(arguments: [(4, 2), (6, 2), (8, 2), (6, 1)])
    func `without names are mixed as the usual ones, and so it is told`(
        channels: Int, count: Int
    ) async throws {
        try await makeUnnamed(channels)
        var settings = ExportSettings(preset: "h264")
        settings.channels = count
        let notes = try await ExportSession(input: FilePath(folder.file("in.mov")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.m4a")))).notes
        #expect(notes.contains { $0.contains("\(channels) channels have no names") }, "\(notes)")
        #expect(try await described("out.m4a").channels == count)
        #expect(try await tones("out.m4a", count).allSatisfy { abs($0 - 500) <= 4 })
    }

    @Test(arguments: ["out.mp4", "out.wav", "out.flac", "out.mov"])
    func `more than eight without names are mixed in turn`(
        name: String
    ) async throws {
        try await makeUnnamed(16)
        let notes = try await export(name, from: "in.mov", name == "out.mov" ? .pcm : nil)
        #expect(notes.contains { $0.contains("16 channels have no names") && $0.contains("to 2 in turn") }, "\(notes)")
        #expect(try await described(name).channels == 2)
        // Of the odd ones only the first has a tone; all even ones have.
        for (channel, wanted) in [0.5 * 0.4 / 8, 0.5 * 0.2].enumerated() {
            let peak =
                try await FFmpeg.audio(of: folder.file(name), rate: 48_000, channel: channel)
                .dropFirst(9600).prefix(19_200).map(abs).max() ?? 0
            #expect(abs(Double(peak) - wanted) < 0.01, "\(channel): \(peak)")
        }
    }
}
