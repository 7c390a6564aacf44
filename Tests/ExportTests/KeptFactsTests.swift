import Encoding
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// What a movie and its tracks tell about themselves, through an export that encodes; judged by ffprobe and mediainfo.
@Suite(
    .timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg"),
    .requires(tool: "mediainfo", package: "mediainfo"))
struct KeptFactsTests {
    private let folder: TemporaryFolder
    /// Quotes, a backslash and letters of several bytes; and one that is longer than a byte can count.
    private static let (first, second) = (#"Kommentar "D", \ 日本"#, String(repeating: "ü", count: 100))
    private static let facts = [
        "title": #"Day "1""#, "artist": "Ann Ångström", "album": "Days", "genre": "Talk", "comment": #"as \ is"#,
        "copyright": "2026 Ann",
    ]

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String) async throws {
        var arguments = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=1"]
        for frequency in [440, 880] { arguments += ["-f", "lavfi", "-i", "sine=frequency=\(frequency):duration=1"] }
        for (name, text) in Self.facts { arguments += ["-metadata", "\(name)=\(text)"] }
        _ = try await Tool.succeed(
            "ffmpeg",
            arguments + [
                "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac",
            ]
                + ["-metadata:s:a:0", "language=ger", "-metadata:s:a:0", "title=\(Self.first)"]
                + ["-metadata:s:a:1", "title=\(Self.second)", "-disposition:a:0", "0", "-disposition:a:1", "default"]
                + [folder.file(name)])
    }

    private struct Report: Decodable {
        struct Format: Decodable { var tags: [String: String] }
        struct Stream: Decodable {
            var disposition: [String: Int]
            var tags: [String: String]?
        }
        var format: Format
        var streams: [Stream]
    }

    @Test(arguments: ["in.mp3", "in.ogg", "in.opus", "in.flac"])
    func `the title of audio alone is kept`(name: String) async throws {
        let input = folder.file(name)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=1"]
                + ["-metadata", "title=\(Self.facts["title"] ?? "")", input])
        for output in ["out.m4a", "out.flac"] {
            _ = try await ExportSession(input: FilePath(input), settings: ExportSettings())
                .export(to: MovieDestination(FilePath(folder.file(output))))
            let told = try await Tool.succeed(
                "ffprobe", ["-v", "error", "-of", "json", "-show_format", "-show_streams", folder.file(output)])
            let report = try JSONDecoder().decode(Report.self, from: told.output)
            let title = report.format.tags["title"] ?? report.format.tags["TITLE"]
            #expect(title == Self.facts["title"], "\(output)")
        }
    }

    @Test(arguments: Cases.taken(of: ["mkv", "mp4"], ["mkv", "mp4", "mov"], most: 3))
    func `titles, languages, the default track and tags are kept`(from: String, to: String) async throws {
        try await make("in.\(from)")
        var settings = ExportSettings(preset: "h264")
        settings.reencodes = true
        let out = folder.file("out.\(to)")
        _ = try await ExportSession(input: FilePath(folder.file("in.\(from)")), settings: settings)
            .export(to: MovieDestination(FilePath(out)))
        let output = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-of", "json", "-show_format", "-show_streams", out]
        ).output
        let report = try JSONDecoder().decode(Report.self, from: output)
        let tags = Dictionary(report.format.tags.map { ($0.lowercased(), $1) }) { first, _ in first }
        for (name, text) in Self.facts {
            #expect(tags[name] == text, "\(name)")
        }
        #expect(report.streams.map { $0.disposition["default"] } == [1, 0, 1])
        let languages = report.streams.map { $0.tags?["language"] }
        // "deu" is the terminological form of the bibliographic "ger" (ISO 639-2).
        #expect(["ger", "deu"].contains(languages[1]))
        // Matroska's tracks would be English if they said nothing, and ffprobe leaves out what is not known.
        #expect([nil, "und"].contains(languages[0]) && [nil, "und"].contains(languages[2]))
        let titles = try await Tool.succeed("mediainfo", ["--Output=Audio;%Title%|", out]).text
        #expect(titles.contains(Self.first) && titles.contains(Self.second), "\(titles)")
        try await FFmpeg.decode(out)
    }

    @Test(arguments: [("mp4", true), ("mov", true), ("mkv", true), ("webm", false)])
    func `a cover is kept, or said to be left out`(ending: String, isKept: Bool) async throws {
        try await make("plain.mp4")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", folder.file("plain.mp4"), "-f", "lavfi", "-i",
                "color=red:size=64x64:duration=0.04",
            ]
                + ["-map", "0", "-map", "1", "-c", "copy", "-c:v:1", "png"]
                + ["-disposition:v:1", "attached_pic", folder.file("cover.mp4")])
        var settings = ExportSettings(preset: ending == "webm" ? "webm" : "h264")
        settings.reencodes = true
        let out = folder.file("out.\(ending)")
        let result = try await ExportSession(input: FilePath(folder.file("cover.mp4")), settings: settings)
            .export(to: MovieDestination(FilePath(out)))
        let pictures = try await Tool.succeed(
            "ffprobe", ["-v", "error", "-show_entries", "stream_disposition=attached_pic", "-of", "csv=p=0", out]
        ).text
        #expect(pictures.contains("1") == isKept)
        #expect(result.notes.contains { $0.hasPrefix("Left out: cover") } == !isKept, "\(result.notes)")
    }
}
