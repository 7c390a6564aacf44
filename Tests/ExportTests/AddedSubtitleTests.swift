import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Files of subtitles that become tracks of a movie, as ffmpeg reads them there.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct AddedSubtitleTests {
    private static let texts = [
        "film.de.srt": """
        1
        00:00:00,200 --> 00:00:00,600
        One

        2
        00:00:00,800 --> 00:00:01,400
        {\\an8}Two & <i>three</i>

        3
        00:00:07,000 --> 00:00:08,000
        Of another film

        """,
        "film.vtt": """
        WEBVTT

        00:00.200 --> 00:00.600 line:0 align:start
        One

        00:00.800 --> 00:01.400
        Two &amp; three

        """,
        "film.ass": """
        [Script Info]
        ScriptType: v4.00+

        [V4+ Styles]
        Format: Name, Fontname, Fontsize
        Style: Default,DejaVu Sans,24

        [Events]
        Format: Layer, Start, End, Style, Text
        Comment: 0,0:00:00.00,0:00:02.00,Default,Nobody sees it
        Dialogue: 0,0:00:00.80,0:00:01.40,Default,{\\pos(1,2)}Two & three
        Dialogue: 0,0:00:00.20,0:00:00.60,Default,One

        """,
    ]

    private struct Made {
        let movie: MadeMovie
        func path(_ name: String) -> String { movie.folder.file(name) }

        func export(
            _ added: [String], _ settings: ExportSettings, to name: String
        ) async throws -> ExportResult {
            var settings = settings
            settings.addedSubtitles = try added.map { text in
                let path = { (name: String) in FilePath(self.path(name)) }
                return try #require(AddedSubtitles(text, path: path))
            }
            return try await movie.export(settings, to: name)
        }
    }

    private func make(_ name: String = "video.mp4") async throws -> Made {
        let movie = try await MadeMovie(
            name, "-c:v libx264 -preset ultrafast -g 12 -bf 2 -c:a aac", seconds: 2)
        for (name, text) in Self.texts {
            try Data(text.utf8).write(to: URL(filePath: movie.folder.file(name)))
        }
        return Made(movie: movie)
    }

    private static let copy = ExportSettings(preset: "copy")

    @Test(arguments: [copy, MadeMovie.settings()], ["out.mp4", "out.mkv"])
    func `are tracks with their language, behind each other`(settings: ExportSettings, output: String) async throws {
        let made = try await make()
        let result = try await made.export(["film.de.srt", "film.vtt:pt-BR", "film.ass:en"], settings, to: output)
        let file = made.path(output)
        let report = try await FFProbe.inspect(file)
        let tracks = report.streams.filter { $0.codecType == "subtitle" }
        let languages = output.hasSuffix("mp4") ? ["deu", "por", "eng"] : ["ger", "por", "eng"]
        #expect(tracks.map { $0.tags?["language"] } == languages, "\(result.notes)")
        #expect(
            tracks.map(\.codecName)
                == (output.hasSuffix("mp4") ? ["mov_text", "mov_text", "mov_text"] : ["subrip", "webvtt", "ass"]))
        for track in 0..<3 {
            // Matroska keeps where they are shown.
            let texts = try await ReadSubtitles.texts(of: file, track: track, keepsPlaces: !output.hasSuffix("mkv"))
            #expect(texts == ["2-6 One", "8-14 Two & three"], "track \(track)")
        }
        #expect(try await made.movie.frames(of: output) == Array(0..<50))
        #expect(abs(result.duration.seconds - 2) < 0.1, "nothing is behind the movie's end")
        for words in ["added as German", "Left out: 1 of its subtitles", "Portuguese (Brazil)"] {
            #expect(result.notes.contains { $0.contains(words) }, "\(words): \(result.notes)")
        }
    }

    @Test(arguments: [(copy, 0.48), (MadeMovie.settings(), 0.4)])
    func `are cut with a part, and move with it`(settings: ExportSettings, start: Double) async throws {
        let made = try await make()
        var settings = settings
        settings.range = TimeRange(start: MediaTime(seconds: start), end: .second)
        _ = try await made.export(["film.de.srt"], settings, to: "part.mp4")
        #expect(
            try await ReadSubtitles.texts(of: made.path("part.mp4"))
                == (start < 0.45 ? ["0-2 One", "4-6 Two & three"] : ["0-1 One", "3-5 Two & three"]))
        settings.range = nil
        settings.parts = [
            TimeRange(start: .second, end: 1480 * .millisecond), TimeRange(start: 0, end: 480 * .millisecond),
        ]
        _ = try await made.export(["film.de.srt"], settings, to: "parts.mp4")
        #expect(try await ReadSubtitles.texts(of: made.path("parts.mp4")) == ["0-4 Two & three", "7-10 One"])
    }

    @Test(arguments: ["film.vtt:de", "film.de.srt", "film.ass:de"])
    func `are in WebM as WebVTT, and those of the input too`(file: String) async throws {
        let made = try await make("video.mkv")
        _ = try await made.export([file], ExportSettings(preset: "webm"), to: "out.webm")
        #expect(try await ReadSubtitles.texts(of: made.path("out.webm")) == ["2-6 One", "8-14 Two & three"])
        _ = try await made.export([file], Self.copy, to: "own.mkv")
        let result = try await ExportSession(
            input: FilePath(made.path("own.mkv")), settings: ExportSettings(preset: "webm")
        ).export(to: MovieDestination(FilePath(made.path("own.webm"))))
        #expect(try await ReadSubtitles.texts(of: made.path("own.webm")) == ["2-6 One", "8-14 Two & three"])
        #expect(!result.notes.contains { $0.contains("left out") }, "\(result.notes)")
        let told = try await FFProbe.inspect(made.path("own.webm")).streams.last
        #expect(told?.codecName == "webvtt" && told?.tags?["language"] == "ger", "\(String(describing: told))")
    }

    @Test func `are those that lie beside the movie under its name, where nobody says which`() async throws {
        let made = try await make("film.mkv")
        for name in ["film.2.de.srt", "films.srt", "film.EN.sdh.srt"] {
            try FileManager.default.copyItem(atPath: made.path("film.de.srt"), toPath: made.path(name))
        }
        try Data("Hello".utf8).write(to: URL(filePath: made.path("film.fr.srt")))
        var settings = Self.copy
        settings.addedSubtitles = [.beside]
        let session = ExportSession(input: FilePath(made.path("film.mkv")), settings: settings)
        let result = try await session.export(to: MovieDestination(FilePath(made.path("out.mkv"))))
        #expect(
            result.notes.contains { $0.hasPrefix("film.fr.srt is left out. There are no subtitles in") },
            "\(result.notes)")
        let tracks = try await FFProbe.inspect(made.path("out.mkv")).streams.filter { $0.codecType == "subtitle" }
        #expect(tracks.map(\.codecName) == ["ass", "subrip", "subrip", "webvtt"], "\(tracks)")
        #expect(tracks.map { $0.tags?["language"] } == [nil, "ger", "eng", nil], "\(tracks)")
        try FileManager.default.moveItem(atPath: made.path("film.mkv"), toPath: made.path("alone.mkv"))
        let alone = try await ExportSession(input: FilePath(made.path("alone.mkv")), settings: settings)
            .export(to: MovieDestination(FilePath(made.path("out.mp4"))))
        #expect(alone.notes.contains { $0.contains("No subtitles lie beside") }, "\(alone.notes)")
    }

    @Test func `stand behind those that a movie has`() async throws {
        let made = try await make("video.mkv")
        _ = try await made.export(["film.de.srt"], Self.copy, to: "one.mkv")
        var two = Self.copy
        two.addedSubtitles = try [#require(AddedSubtitles("film.ass:en") { FilePath(made.path($0)) })]
        for output in ["two.mkv", "two.mp4"] {
            _ = try await ExportSession(input: FilePath(made.path("one.mkv")), settings: two)
                .export(to: MovieDestination(FilePath(made.path(output))))
            let shown = try await Tool.succeed(
                "ffprobe",
                [
                    "-v", "error", "-select_streams", "s", "-show_entries", "stream_disposition=default", "-of",
                    "csv=p=0",
                ]
                    + [made.path(output)])
            #expect(shown.text.split(separator: "\n") == ["1", "0"], "\(output)")
            let texts = try await ReadSubtitles.texts(of: made.path(output), track: 1, keepsPlaces: false)
            #expect(texts == ["2-6 One", "8-14 Two & three"], "\(output)")
        }
    }

    @Test(arguments: [
        ("none.srt", "out.mp4", "none.srt does not exist"),
        ("empty.srt", "out.mp4", "There are no subtitles in empty.srt"),
        ("film.de.srt", "out.m4a", "holds audio alone"), ("disc.sup", "out.mp4", "disc.sup has images"),
        ("disc.sup", "out.webm", "disc.sup has images, and WebM holds subtitles as text only"),
    ])
    func `that cannot be added are told, before anything is written`(
        file: String, output: String, words: String
    ) async throws {
        let made = try await make()
        try Data("Hello".utf8).write(to: URL(filePath: made.path("empty.srt")))
        try Data(BlurayText.file([0.5...0.7])).write(to: URL(filePath: made.path("disc.sup")))
        let error = await #expect(throws: RushesError.self) {
            try await made.export([file], ExportSettings(preset: output == "out.webm" ? "webm" : "h264"), to: output)
        }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(!FileManager.default.fileExists(atPath: made.path(output)))
    }

    @Test(
        arguments: [
            ("a.srt", "a.srt", nil), ("a.SRT:de", "a.SRT", "de"), ("12:30.vtt:ger", "12:30.vtt", "de"),
            ("a.srt:german", nil, nil), ("a.txt", nil, nil), (".srt", nil, nil), ("a.srt:", nil, nil),
        ] as [(String, String?, String?)])
    func `are named with their language`(text: String, path: String?, language: String?) {
        let added = AddedSubtitles(text) { FilePath($0) }
        #expect(added?.path?.string == path)
        #expect(added?.language == language)
    }
}
