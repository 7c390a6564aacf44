import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Files of audio alone that GStreamer (1.22) has no demuxer or no decoder for: read whole by libavformat, as ffmpeg reads them.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct DecodedAudioTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ options: String, inputs: Int = 1, channels: Int = 2) async throws -> String {
        let tone = Array(repeating: "0.4*sin(2*PI*(300+200*t)*t)", count: channels).enumerated().map {
            "\($1)*\(1 - 0.1 * Double($0))"
        }
        let source = ["-f", "lavfi", "-i", "aevalsrc=\(tone.joined(separator: "|")):s=48000:d=1"]
        let streams = (0..<inputs).flatMap { ["-map", "\($0)"] }
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y"] + Array(repeating: source, count: inputs).joined() + streams
                + Tool.words(options) + [folder.file(name)])
        return folder.file(name)
    }

    private func export(_ input: String, to name: String = "out.wav") async throws -> ExportResult {
        try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "h264"))
            .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    /// Of all channels.
    private func samples(_ file: String) async throws -> [Int32] {
        let result = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", file, "-map", "0:a:0", "-f", "s32le", "-"])
        return result.output.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map {
                Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self))
            }
        }
    }

    /// - Parameter distance: of samples, where their decoder gives floating point, which is rounded.
    private func expectWhole(_ input: String, within distance: Int64 = 0, count: Int) async throws {
        let result = try await export(input)
        let (audio, wanted) = (try await samples(folder.file("out.wav")), try await samples(input))
        #expect(
            audio.count == wanted.count && audio.count >= count, "\(audio.count) of \(wanted.count): \(result.notes)")
        let most = zip(audio, wanted).map { abs(Int64($0) - Int64($1)) }.max() ?? .max
        #expect(most <= distance, "\(result.notes)")
    }

    @Test func `what has fewer bits than its decoder gives is not said to lose some`() async throws {
        for (name, options) in [("in.caf", "-c:a ac3"), ("in.rso", "-ac 1")] {
            let notes = try await export(try await make(name, options), to: "\(name).wav").notes
            #expect(!notes.isEmpty && notes.allSatisfy { !$0.contains("bits a sample") }, "\(notes)")
        }
        let lossless = try await export(try await make("in32.caf", "-c:a pcm_f32be"), to: "whole.wav").notes
        #expect(lossless.contains { $0.contains("32 bits a sample become 24") }, "\(lossless)")
    }

    @Test(
        arguments: Cases.taken(of: [
            // No demuxer.
            ("in.mlp", "-c:a mlp -strict -2", 96_000), ("in.thd", "-f truehd -c:a truehd -strict -2", 95_000),
            ("in.adx", "", 95_000), ("in.ast", "", 96_000), ("in.aptx", "", 95_000),
            ("in.g722", "-ac 1 -ar 16000", 15_000),
            ("in.gsm", "-ac 1 -ar 8000", 7_900), ("in.302", "-f daud -ar 96000 -ac 6", 570_000),
            ("in.rso", "-ac 1", 47_000),
            // One that takes it for MP3.
            ("in.adx", "-ac 1", 47_900),
            // One that waits for ever.
            ("in.nut", "-c:a flac", 96_000),
            // No decoder, or no name for it.
            ("in.mka", "-c:a tta", 96_000), ("in.mka", "-c:a mlp -strict -2", 96_000),
            ("in.aiff", "-c:a adpcm_ima_qt", 95_000),
            ("in.sf", "-f ircam -c:a pcm_mulaw", 96_000), ("in.au", "-c:a adpcm_g726le -ar 8000 -ac 1 -b:a 32k", 7_900),
            ("in.caf", "-c:a libgsm -ac 1 -ar 8000", 7_900), ("in.w64", "-c:a flac", 96_000),
            ("in.wav", "-c:a flac", 96_000),
            ("in.wav", "-c:a adpcm_yamaha", 96_000),
        ])) func `what GStreamer does not read is read to the sample`(name: String, options: String, count: Int)
        async throws
    {
        try await expectWhole(try await make(name, options), count: count)
    }

    /// The decoders give floating point, of which 24 bits are written.
    @Test(arguments: [
        ("in.ac3", "-t 0.03 -c:a ac3", 3000), ("in.eac3", "-t 0.03 -c:a eac3", 3000), ("in.wav", "-c:a eac3", 96_000),
        ("in.caf", "-c:a libmp3lame", 96_000), ("in.caf", "-c:a ac3", 96_000),
        ("in.mov", "-c:a nellymoser -ac 1 -ar 44100", 44_000),
    ]) func `so is what its decoder gives in floating point`(name: String, options: String, count: Int) async throws {
        try await expectWhole(try await make(name, options), within: 1 << 9, count: count)
    }

    @Test func `ALAC of a single packet is read`() async throws {
        try await expectWhole(try await make("in.m4a", "-t 0.05 -c:a alac"), count: 4_800)
    }

    /// GStreamer numbers the speakers at the sides otherwise than WAVE does.
    @Test func `channels keep their speakers`() async throws {
        let input = try await make("in.mka", "-channel_layout 7.1 -c:a tta", channels: 8)
        try await expectWhole(input, count: 384_000)
        let (layout, wanted) = (try await layout(of: folder.file("out.wav")), try await layout(of: input))
        #expect(layout == wanted && layout.contains("side"))
    }

    private func layout(of file: String) async throws -> String {
        try await Tool.succeed(
            "ffprobe", ["-v", "error", "-show_entries", "stream=channel_layout", "-of", "csv=p=0", file]
        ).text
    }

    @Test func `damaged packets are told, and an end that is lost`() async throws {
        var bytes = try Data(contentsOf: URL(filePath: try await make("in.caf", "-c:a ac3")))
        let whole = folder.file("damaged.caf")
        for place in bytes.count / 2..<bytes.count / 2 + 3000 { bytes[place] ^= 0x5A }
        try bytes.write(to: URL(filePath: whole))
        let notes = try await export(whole).notes
        #expect(notes.contains { $0.contains("damaged and left out") && $0.contains("0.5") }, "\(notes)")
        // Of FLAC in Wave64 the last half.
        let cut = folder.file("cut.w64")
        let all = try Data(contentsOf: URL(filePath: try await make("in.w64", "-c:a flac")))
        try all.prefix(all.count / 2).write(to: URL(filePath: cut))
        let lost = try await export(cut, to: "cut.wav").notes
        #expect(lost.contains { $0.contains("ends 0.") && $0.contains("before the input") }, "\(lost)")
    }

    @Test func `tags are kept`() async throws {
        let input = try await make(
            "in.nut", "-c:a flac -metadata title=Grün -metadata artist=Ann -metadata composer=Bea", inputs: 2)
        let result = try await export(input, to: "out.m4a")
        let told = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "flat", folder.file("out.m4a")]
        ).text
        #expect(told.contains("Grün") && told.contains("Ann") && told.contains("Bea"), "\(told)")
        #expect(try await FFProbe.inspect(folder.file("out.m4a")).audio.count == 2)
        #expect(!result.notes.contains { $0.contains("damaged") }, "\(result.notes)")
    }

    @Test func `loudness, parts and verification go the same way`() async throws {
        let input = try await make("in.mka", "-c:a mlp -strict -2")
        var settings = ExportSettings(preset: "h264")
        (settings.loudness, settings.verification) = (-20, .full)
        settings.range = TimeRange(start: 250 * .millisecond, end: 750 * .millisecond)
        let output = folder.file("part.flac")
        _ = try await ExportSession(input: FilePath(input), settings: settings)
            .export(to: MovieDestination(FilePath(output)))
        #expect(try await samples(output).count == 48_000)
    }

    @Test func `audio beside frames is there too`() async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=25:duration=0.4", "-f", "lavfi"]
                + ["-i", "sine=duration=0.4", "-c:v", "mpeg4", "-c:a", "tta", folder.file("in.mkv")])
        // GStreamer has no decoder for it there, and says of all the file that a plug-in is missing.
        let result = try await export(folder.file("in.mkv"), to: "out.mov")
        #expect(result.frames == 10 && !result.notes.contains { $0.contains("left out") }, "\(result)")
        #expect(try await samples(folder.file("out.mov")).count >= 17_000)
    }
}
