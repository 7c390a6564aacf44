import Encoding
import Errors
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Which tracks of a movie are taken, by number and language; judged by ffprobe, and by what is heard.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct TrackChoiceTests {
    private let folder: TemporaryFolder
    /// Of the audio tracks: English, German, German.
    private static let frequencies = [440.0, 880, 1320]

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String) async throws -> FilePath {
        try Data("1\n00:00:00,200 --> 00:00:00,800\nOne\n\n".utf8).write(to: URL(filePath: folder.file("text.srt")))
        var arguments = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=1"]
        for frequency in Self.frequencies { arguments += ["-f", "lavfi", "-i", "sine=\(frequency):duration=1"] }
        arguments += ["-i", folder.file("text.srt"), "-i", folder.file("text.srt")]
        for track in name.hasSuffix("ts") ? 0...3 : 0...5 { arguments += ["-map", "\(track)"] }
        arguments += ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
        arguments += ["-c:s", name.hasSuffix("mp4") ? "mov_text" : "srt"]
        for (track, language) in ["eng", "ger", "ger"].enumerated() {
            arguments += ["-metadata:s:a:\(track)", "language=\(language)"]
        }
        for (track, language) in ["eng", "ger"].enumerated() {
            arguments += ["-metadata:s:s:\(track)", "language=\(language)"]
        }
        _ = try await Tool.succeed("ffmpeg", arguments + [folder.file(name)])
        return FilePath(folder.file(name))
    }

    private func settings(audio: String?, subtitles: String?, copies: Bool) -> ExportSettings {
        var settings = ExportSettings(preset: copies ? "copy" : "h264")
        settings.reencodes = !copies
        settings.audioTracks = audio.flatMap { TrackSelection($0) }
        settings.subtitleTracks = subtitles.flatMap { TrackSelection($0) }
        return settings
    }

    private struct Report: Decodable {
        struct Stream: Decodable {
            var codec_type: String
            var disposition: [String: Int]
            var tags: [String: String]?
            var isDefault: Bool { disposition["default"] == 1 }
        }
        var streams: [Stream]
        func all(_ kind: String) -> [Stream] { streams.filter { $0.codec_type == kind } }
    }

    /// Expects these tones, the first of them the default, and so many subtitles.
    private func expect(_ tones: [Double], subtitles: [String], in name: String) async throws {
        let path = folder.file(name)
        let output = try await Tool.succeed("ffprobe", ["-v", "error", "-of", "json", "-show_streams", path]).output
        let report = try JSONDecoder().decode(Report.self, from: output)
        let audio = report.all("audio")
        #expect(audio.count == tones.count)
        #expect(audio.map(\.isDefault) == audio.indices.map { $0 == 0 })
        let codes = ["deu": "ger"]
        let languages = report.all("subtitle").map { $0.tags?["language"] ?? "" }.map { codes[$0] ?? $0 }
        #expect(languages == subtitles)
        for (index, tone) in tones.enumerated() {
            let samples = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", path, "-map", "0:a:\(index)", "-ac", "1", "-f", "s16le", "-"]
            ).output
            let rate = 44100.0
            let values = samples.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            let crossings = zip(values, values.dropFirst()).count { ($0 < 0) != ($1 < 0) }
            let frequency = Double(crossings) / 2 / (Double(values.count) / rate)
            #expect(abs(frequency - tone) < tone / 10, "track \(index): \(frequency) Hz")
        }
        try await FFmpeg.decode(path)
    }

    @Test(arguments: Cases.taken(of: ["in.mkv", "in.mp4"], ["out.mov", "out.mp4", "out.mkv"], most: 2))
    func `they are taken in the order in which they are named`(input: String, output: String) async throws {
        let input = try await make(input)
        for copies in [true, false] {
            let wanted = settings(audio: "de,1", subtitles: "deu", copies: copies)
            let result = try await ExportSession(input: input, settings: wanted)
                .export(to: MovieDestination(FilePath(folder.file(output)), replacesExisting: true))
            try await expect([880, 1320, 440], subtitles: ["ger"], in: output)
            #expect(!result.notes.contains { $0.contains("left out") }, "\(result.notes)")
        }
    }

    @Test(arguments: ["in.mkv", "in.mp4", "in.ts"]) func `one alone, none and a part`(input: String) async throws {
        let input = try await make(input)
        let isTransport = input.string.hasSuffix(".ts")
        for copies in [true, false] {
            var wanted = settings(audio: "3", subtitles: "none", copies: copies)
            let destination = MovieDestination(FilePath(folder.file("out.mp4")), replacesExisting: true)
            _ = try await ExportSession(input: input, settings: wanted).export(to: destination)
            try await expect([1320], subtitles: [], in: "out.mp4")
            // Copied parts need an index.
            wanted.range = isTransport && copies ? nil : TimeRange(start: MediaTime(seconds: 0.2))
            _ = try await ExportSession(input: input, settings: wanted).export(to: destination)
            try await expect([1320], subtitles: [], in: "out.mp4")
            wanted = settings(audio: "none", subtitles: isTransport ? nil : "all", copies: copies)
            _ = try await ExportSession(input: input, settings: wanted).export(to: destination)
            try await expect([], subtitles: isTransport ? [] : ["eng", "ger"], in: "out.mp4")
        }
    }

    @Test(
        arguments: ["in.mkv", "in.mp4", "in.ts"],
        [("4", "no audio track 4"), ("fr", "no French audio track"), ("1,fr", "no French audio track")])
    func `what is not there is told with what there is`(input: String, wish: (String, String)) async throws {
        let path = try await make(input)
        let error = await #expect(throws: RushesError.self) {
            try await ExportSession(input: path, settings: settings(audio: wish.0, subtitles: nil, copies: false))
                .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        }
        let words = "\(try #require(error))"
        #expect(words.contains("\(wish.1): "), "\(words)")
        #expect(words.contains("\(input) has 3 audio tracks: 1 English, 2 German, 3 German."), "\(words)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("out.mp4")))
    }

    @Test func `the printed pipeline reads them`() async throws {
        let input = try await make("in.mkv")
        let text = try await ExportSession.pipeline(
            input: input, settings: settings(audio: "2", subtitles: nil, copies: false),
            destination: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect(text.contains("streams.src_2 !"), "\(text)")
    }

    @Test func `chapters that only the audio names stay when another one is taken`() async throws {
        let input = try await make("in.mp4")
        try Data(
            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=A\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1000\ntitle=B\n"
                .utf8
        )
        .write(to: URL(filePath: folder.file("chapters.txt")))
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", input.string, "-i", folder.file("chapters.txt"), "-map", "0:a",
                "-map_metadata", "1", "-c", "copy", folder.file("audio.mp4"),
            ])
        _ = try await ExportSession(
            input: FilePath(folder.file("audio.mp4")), settings: settings(audio: "3", subtitles: nil, copies: true)
        ).export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        try await expect([1320], subtitles: [], in: "out.mp4")
        let chapters = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-show_entries", "chapter_tags=title", "-of", "csv=p=0", folder.file("out.mp4")]
        ).text
        #expect(chapters == "A\nB\n")
    }

    @Test(arguments: ["", "0", "-1", "1,", "english", "all,1", "und", "1.5"]) func `nothing else is understood`(
        text: String
    ) { #expect(TrackSelection(text) == nil) }

    @Test func `a batch that goes on keeps them`() throws {
        var settings = ExportSettings(preset: "copy")
        settings.audioTracks = TrackSelection("2,de")
        settings.subtitleTracks = TrackSelection("none")
        let kept = try JSONDecoder().decode(ExportSettings.self, from: JSONEncoder().encode(settings))
        #expect(kept == settings)
    }
}
