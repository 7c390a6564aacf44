import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// The subtitles of a movie as a file, beside what ffmpeg makes of them.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct SubtitleFileExportTests {
    private static let text = """
        1
        00:00:00,200 --> 00:00:00,601
        One <i>slanted</i>

        2
        00:00:00,803 --> 00:00:01,399
        <b>Two</b>
        & Grüße

        3
        00:00:01,600 --> 00:00:01,900
        Last


        """
    private static let script = """
        [Script Info]
        ScriptType: v4.00+

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, Italic
        Style: Default,DejaVu Sans,24,0
        Style: Slanted,DejaVu Serif,30,-1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:00.80,0:00:01.40,Slanted,Ann,0,0,0,,{\\pos(1,2)}Two, too
        Dialogue: 0,0:00:00.20,0:00:00.60,Default,,0,0,0,,One\\N{\\b1}bold

        """

    private struct Made {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        func path(_ name: String) -> String { folder.file(name) }

        /// - Parameter options: ffmpeg's, for the output.
        func make(_ name: String, _ options: String, texts: [String: String]) async throws {
            let texts = texts.sorted { $0.key < $1.key }
            for (file, text) in texts { try Data(text.utf8).write(to: URL(filePath: path(file))) }
            let inputs = texts.flatMap { ["-i", path($0.key)] }
            let maps = texts.indices.flatMap { ["-map", "\($0 + 1)"] }
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=2"] + inputs
                    + ["-map", "0"] + maps + Tool.words(options) + [path(name)])
        }

        @discardableResult
        func export(
            _ input: String, to output: String, _ settings: ExportSettings = ExportSettings()
        ) async throws -> ExportResult {
            try await ExportSession(input: FilePath(path(input)), settings: settings)
                .export(to: MovieDestination(FilePath(path(output))))
        }

        func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
    }

    @Test(arguments: [
        ("in.mkv", "-c:v libx264 -c:s copy"), ("in.mp4", "-c:v libx264 -c:s mov_text"),
        ("late.mkv", "-c:v libx264 -c:s copy -output_ts_offset 7"), ("in.mov", "-c:v libx264 -c:s mov_text"),
    ])
    func `are what ffmpeg extracts`(input: String, options: String) async throws {
        let made = try Made()
        try await made.make(input, options, texts: ["a.srt": Self.text])
        let result = try await made.export(input, to: "out.srt")
        let theirs = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", made.path(input), "-map", "0:s:0", "-f", "srt", "-"])
        #expect(try made.text("out.srt") == theirs.text.replacing("\r\n", with: "\n"))
        #expect(result.notes.isEmpty, "\(result.notes)")
        #expect(result.duration == 1900 * .millisecond)
    }

    @Test func `of WebM keep where they are shown`() async throws {
        let made = try Made()
        let text = "WEBVTT\n\n00:00:00.200 --> 00:00:00.601 line:0 align:start\nOne &amp; <i>slanted</i>\n\n"
        try await made.make("in.webm", "-c:v libvpx -c:s copy", texts: ["a.vtt": text])
        try await made.export("in.webm", to: "out.vtt")
        #expect(try made.text("out.vtt") == text)
        let result = try await made.export("in.webm", to: "out.srt")
        #expect(try made.text("out.srt") == "1\n00:00:00,200 --> 00:00:00,601\nOne & <i>slanted</i>\n\n")
        #expect(result.notes.contains { $0.contains("other styles of the subtitles are left out") })
    }

    /// ISO/IEC 14496-30, section 6, as streams have it: no muxer here writes that, so what ffmpeg has written is told to be it.
    @Test func `of WebVTT in MP4 are read, and kept in Matroska`() async throws {
        let made = try Made()
        let lines = ["x", "y"].map { String(repeating: $0, count: 41) }
        try await made.make(
            "plain.mp4", "-c:v libx264 -c:s mov_text",
            texts: [
                "a.srt":
                    "1\n00:00:00,200 --> 00:00:00,600\n\(lines[0])\n\n2\n00:00:00,600 --> 00:00:01,000\n\(lines[1])\n"
            ])
        func box(_ type: String, _ content: Data) -> Data {
            Data(withUnsafeBytes(of: UInt32(8 + content.count).bigEndian, Array.init)) + Data(type.utf8) + content
        }
        var movie = try Data(contentsOf: URL(filePath: made.path("plain.mp4")))
        // A text that is shown all through both samples, in the place of each with its length.
        let cue = box("vttc", box("sttg", Data("line:0".utf8)) + box("payl", Data("One &amp; two".utf8)))
        for line in lines {
            let text = try #require(movie.range(of: Data(line.utf8)))
            #expect(cue.count == line.count + 2)
            movie.replaceSubrange(text.lowerBound - 2..<text.upperBound, with: cue)
        }
        let entry = try #require(movie.range(of: Data("tx3g".utf8))).lowerBound
        let size = movie[entry - 4..<entry].reduce(0) { $0 << 8 | Int($1) }
        let head = box("vttC", Data("WEBVTT".utf8))
        let rest = box("free", Data(count: size - 16 - head.count - 8))
        movie.replaceSubrange(entry..<entry + 4, with: Data("wvtt".utf8))
        movie.replaceSubrange(entry + 12..<entry - 4 + size, with: head + rest)
        try movie.write(to: URL(filePath: made.path("in.mp4")))
        let text = "WEBVTT\n\n00:00:00.200 --> 00:00:01.000 line:0\nOne &amp; two\n\n"
        try await made.export("in.mp4", to: "out.vtt")
        #expect(try made.text("out.vtt") == text)
        for (preset, name) in [("copy", "copied.mkv"), ("h264", "encoded.mkv")] {
            var settings = ExportSettings(preset: preset)
            settings.reencodes = preset != "copy"
            let result = try await made.export("in.mp4", to: name, settings)
            let theirs = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", made.path(name), "-map", "0:s:0", "-c", "copy", "-f", "webvtt", "-"])
            #expect(
                theirs.text == text.replacing("00:00:", with: "00:").trimmingCharacters(in: .newlines) + "\n",
                "\(theirs.text) \(result.notes)")
        }
    }

    @Test func `of a script keep its styles, or what another format has of them`() async throws {
        let made = try Made()
        try await made.make("in.mkv", "-c:v libx264 -c:s copy", texts: ["a.ass": Self.script])
        try await made.export("in.mkv", to: "out.ass")
        #expect(
            try made.text("out.ass").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                == Self.script.split(separator: "\n").map(String.init))
        try await made.export("in.mkv", to: "out.vtt")
        #expect(
            try made.text("out.vtt")
                == "WEBVTT\n\n00:00:00.200 --> 00:00:00.600\nOne\n<b>bold</b>\n\n00:00:00.800 --> 00:00:01.400\n<i>Two, too</i>\n\n"
        )
    }

    @Test func `are those of the track that is shown, or of the chosen one`() async throws {
        let made = try Made()
        let other = Self.text.replacing("One", with: "Eins")
        try await made.make(
            "in.mkv",
            "-c:v libx264 -c:s copy -metadata:s:s:0 language=eng -metadata:s:s:1 language=ger -disposition:s:0 0 -disposition:s:1 default",
            texts: ["a.srt": Self.text, "b.srt": other])
        let result = try await made.export("in.mkv", to: "usual.srt")
        #expect(try made.text("usual.srt").contains("Eins"))
        #expect(
            result.notes.contains { $0.contains("track 2 (German) is taken. 1 other subtitle track is left out") },
            "\(result.notes)")
        var settings = ExportSettings()
        settings.subtitleTracks = TrackSelection("en")
        try await made.export("in.mkv", to: "english.srt", settings)
        #expect(try made.text("english.srt").contains("One"))
        settings.subtitleTracks = TrackSelection("fr")
        await #expect(throws: RushesError.self) { try await made.export("in.mkv", to: "french.srt", settings) }
        #expect(!FileManager.default.fileExists(atPath: made.path("french.srt")))
    }

    @Test(arguments: ["in.mkv", "in.mp4", "a.srt"])
    func `are cut with a part, and move with it`(input: String) async throws {
        let made = try Made()
        try await made.make("in.mkv", "-c:v libx264 -c:s copy -output_ts_offset 3", texts: ["a.srt": Self.text])
        try await made.make("in.mp4", "-c:v libx264 -c:s mov_text", texts: ["a.srt": Self.text])
        var settings = ExportSettings()
        settings.range = TimeRange(start: 400 * .millisecond, end: .second)
        try await made.export(input, to: "part.srt", settings)
        #expect(
            try made.text("part.srt")
                == "1\n00:00:00,000 --> 00:00:00,201\nOne <i>slanted</i>\n\n2\n00:00:00,403 --> 00:00:00,600\n<b>Two</b>\n& Grüße\n\n"
        )
        settings.range = nil
        settings.parts = [
            TimeRange(start: 1200 * .millisecond, end: 1800 * .millisecond), TimeRange(end: 400 * .millisecond),
        ]
        try await made.export(input, to: "parts.srt", settings)
        let times = try made.text("parts.srt").matches(of: #/(.+) --> (.+)/#).map { "\($0.1)-\($0.2)" }
        #expect(
            times == ["00:00:00,000-00:00:00,199", "00:00:00,400-00:00:00,600", "00:00:00,800-00:00:01,000"])
    }

    @Test func `replace a file only where that is asked for`() async throws {
        let made = try Made()
        try await made.make("in.mkv", "-c:v libx264 -c:s copy", texts: ["a.srt": Self.text])
        try Data("old".utf8).write(to: URL(filePath: made.path("out.srt")))
        let error = await #expect(throws: RushesError.self) { try await made.export("in.mkv", to: "out.srt") }
        #expect(error?.code == .fileExists)
        #expect(try made.text("out.srt") == "old")
        _ = try await ExportSession(input: FilePath(made.path("in.mkv")))
            .export(to: MovieDestination(FilePath(made.path("out.srt")), replacesExisting: true))
        #expect(try made.text("out.srt") == Self.text.replacing("\n\n\n", with: "\n\n"))
    }

    @Test func `that are images, or nothing, and settings of video are refused before there is a file`() async throws {
        let made = try Made()
        try await made.make("text.mkv", "-c:v libx264 -c:s copy", texts: ["a.srt": Self.text])
        try await made.make("none.mkv", "-c:v libx264", texts: [:])
        try Data(BlurayText.file([0.5...0.7])).write(to: URL(filePath: made.path("disc.sup")))
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", made.path("none.mkv"), "-i", made.path("disc.sup"), "-map", "0",
                "-map",
                "1", "-c", "copy", made.path("disc.mkv"),
            ])
        var larger = ExportSettings()
        larger.size = VideoSize(128, 128)
        var codec = ExportSettings()
        codec.videoCodec = .h264
        let wrong: [(String, ExportSettings, String)] = [
            ("disc.mkv", ExportSettings(), "are images (PGS)"), ("disc.sup", ExportSettings(), "are images (PGS)"),
            ("none.mkv", ExportSettings(), "There are no subtitles in"),
            ("text.mkv", larger, "holds subtitles alone; leave size out"),
            ("text.mkv", codec, "holds subtitles alone; leave video codec out"),
        ]
        for (input, settings, words) in wrong {
            let error = await #expect(throws: RushesError.self) {
                try await made.export(input, to: "out.srt", settings)
            }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
            #expect(!FileManager.default.fileExists(atPath: made.path("out.srt")))
        }
    }
}
