import Encoding
import Errors
import Export
import Foundation
import GStreamer
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Movies whose edit lists hide frames that those they show need, as all have that were cut without encoding.
@Suite(
    "Frames that an edit list hides", .serialized, .timeLimit(.minutes(10)),
    .requires(tool: "ffmpeg", package: "ffmpeg"))
struct HiddenFramesTests {
    private static let h264 = "-c:v libx264 -preset veryfast -g 12 -sc_threshold 0 -bf 2 -c:a aac"
    private static let hevc =
        "-c:v libx265 -preset ultrafast -x265-params log-level=none:open-gop=0:keyint=12:scenecut=0:bframes=2 -tag:v hvc1 -c:a aac"

    /// "cut.mp4" beside a movie: from its 28th frame on, four behind a key frame.
    private func cut(_ movie: MadeMovie) async throws {
        let arguments = ["-nostdin", "-v", "error", "-ss", "1.12", "-i", movie.path, "-c", "copy"]
        _ = try await Tool.succeed("ffmpeg", arguments + [movie.folder.file("cut.mp4")])
        #expect(try await movie.frames(of: "cut.mp4") == Array(28..<75))
    }

    private func export(_ movie: MadeMovie, _ input: String, _ settings: ExportSettings, to name: String) async throws {
        _ = try await ExportSession(input: FilePath(movie.folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(movie.folder.file(name))))
    }

    @Test("stay hidden where the movie is copied without its audio", arguments: ["out.mp4", "out.mov"])
    func withoutAudio(name: String) async throws {
        let movie = try await MadeMovie("take.mp4", Self.h264)
        try await cut(movie)
        var settings = ExportSettings(preset: "copy")
        (settings.audio, settings.verification) = (.codec(.none), .full)
        try await export(movie, "cut.mp4", settings, to: name)
        #expect(try await movie.frames(of: name) == Array(28..<75))
        let report = try await FFProbe.inspect(movie.folder.file(name))
        #expect(report.audio.isEmpty && report.video.count == 1)
        let packets = try await FFProbe.packets("v:0", of: movie.folder.file(name))
        #expect(packets.first?.isKey == true)
    }

    /// What is heard, at 48,000 samples a second.
    private func samples(_ movie: MadeMovie, _ name: String) async throws -> [Int16] {
        let arguments = ["-nostdin", "-v", "error", "-i", movie.folder.file(name), "-map", "0:a:0", "-ac", "1"]
        let result = try await Tool.succeed("ffmpeg", arguments + ["-ar", "48000", "-f", "s16le", "-"])
        return result.output.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    @Test(
        "stay hidden where the audio alone is encoded",
        arguments: [
            ("out.mp4", AudioCodec.aac), ("out.mov", .pcm), ("out.mov", .aac), ("out.mkv", .opus), ("loud.mp4", .aac),
        ])
    func otherAudio(name: String, codec: AudioCodec) async throws {
        let movie = try await MadeMovie("take.mp4", Self.h264)
        try await cut(movie)
        var settings = ExportSettings(preset: "copy")
        settings.verification = .full
        if name.hasPrefix("loud") { settings.loudness = -16 } else { settings.audio = .codec(codec) }
        try await export(movie, "cut.mp4", settings, to: name)
        // Matroska has no edits: its frames begin with the key frame.
        let (first, isMovie) = (name.hasSuffix("mkv") ? 24 : 28, !name.hasSuffix("mkv"))
        #expect(try await movie.frames(of: name) == Array(first..<75))
        let report = try await FFProbe.inspect(movie.folder.file(name))
        #expect(report.audio.count == 1 && report.video.count == 1)
        let packets = try await FFProbe.packets("v:0", of: movie.folder.file(name))
        #expect(packets.first?.isKey == true)
        try await FFmpeg.decode(movie.folder.file(name))
        // The chirp is where it was, beside the frames.
        guard isMovie, !name.hasPrefix("loud") else { return }
        let (wanted, heard) = (try await samples(movie, "cut.mp4"), try await samples(movie, name))
        #expect(abs(wanted.count - heard.count) < 2048)
        let error = zip(wanted, heard).dropFirst(4800).prefix(48_000).reduce(0.0) {
            $0 + abs(Double($1.0) - Double($1.1))
        }
        #expect(error / 48_000 < 400, "\(error / 48_000)")
    }

    @Test("are copied in a movie of several parts beside other audio, in order")
    func partsWithOtherAudio() async throws {
        let movie = try await MadeMovie("take.mov", Self.h264)
        var settings = ExportSettings(preset: "copy")
        settings.parts = [
            TimeRange(start: .zero, end: 600 * .millisecond), TimeRange(start: 1120 * .millisecond, end: 2 * .second),
        ]
        try await export(movie, "take.mov", settings, to: "parts.mov")
        var other = ExportSettings(preset: "copy")
        other.audio = .codec(.aac)
        try await export(movie, "parts.mov", other, to: "out.mp4")
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<15) + Array(28..<50))
        #expect(try await FFProbe.inspect(movie.folder.file("out.mp4")).audio.first?.codecName == "aac")
    }

    @Test("are encoded in a movie of several parts", arguments: [("h264", Self.h264), ("hevc", Self.hevc)])
    func parts(preset: String, options: String) async throws {
        let movie = try await MadeMovie("take.mp4", options)
        var settings = ExportSettings(preset: "copy")
        settings.parts = [
            TimeRange(start: .zero, end: 600 * .millisecond), TimeRange(start: 1120 * .millisecond, end: 2 * .second),
        ]
        try await export(movie, "take.mp4", settings, to: "parts.mp4")
        let wanted = Array(0..<15) + Array(28..<50)
        #expect(try await movie.frames(of: "parts.mp4") == wanted)
        try await export(movie, "parts.mp4", ExportSettings(preset: preset), to: "out.mp4")
        #expect(try await movie.frames(of: "out.mp4") == wanted)
        // No container but these has edits.
        let refusal = await #expect(throws: RushesError.self) {
            try await export(movie, "parts.mp4", ExportSettings(preset: "copy"), to: "out.mkv")
        }
        #expect(refusal?.description.contains("edit list") == true, "\(String(describing: refusal))")
        #expect(!movie.folder.contents.contains { $0.contains("out.mkv") })
    }
}
