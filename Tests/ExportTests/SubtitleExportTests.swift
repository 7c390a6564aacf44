import Encoding
import Export
import Foundation
import GStreamer
import SystemPackage
import TestSupport
import Testing

/// Subtitles are in what is made of a movie, whatever becomes of its frames.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct SubtitleExportTests {
    private static let plain = """
        1
        00:00:00,200 --> 00:00:00,600
        One

        2
        00:00:00,800 --> 00:00:01,400
        Two & three

        3
        00:00:01,600 --> 00:00:01,900
        Grüße


        """
    private static let overlapping = """
        1
        00:00:00,200 --> 00:00:01,400
        First

        2
        00:00:00,800 --> 00:00:05,000
        Second


        """

    /// A movie of two seconds with subtitles in German.
    private func make(_ name: String, _ texts: [UInt8], _ ending: String = "srt", codec: String) async throws
        -> (movie: MadeMovie, input: FilePath)
    {
        let movie = try await MadeMovie(
            "video.mkv", "-c:v libx264 -preset ultrafast -g 12 -bf 2 -c:a aac", seconds: 2)
        try Data(texts).write(to: URL(filePath: movie.folder.file("texts.\(ending)")))
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", movie.path, "-i", movie.folder.file("texts.\(ending)"), "-map", "0",
                "-map",
            ]
                + ["1", "-c", "copy", "-c:s", codec, "-metadata:s:s", "language=ger", movie.folder.file(name)])
        return (movie, FilePath(movie.folder.file(name)))
    }

    private func export(
        _ made: (movie: MadeMovie, input: FilePath), _ settings: ExportSettings, to name: String
    ) async throws -> ExportResult {
        try await ExportSession(input: made.input, settings: settings)
            .export(to: MovieDestination(FilePath(made.movie.folder.file(name))))
    }

    private func expect(_ expected: [String], in file: String, _ notes: [String]) async throws {
        let texts = try await ReadSubtitles.texts(of: file)
        #expect(texts == expected, "\(notes)")
    }

    @Test(arguments: ["out.mov", "out.mp4", "out.mkv"], ["in.mkv", "in.mp4"])
    func `are in an export, with their language`(output: String, input: String) async throws {
        let made = try await make(input, Array(Self.plain.utf8), codec: input.hasSuffix("mkv") ? "srt" : "mov_text")
        let result = try await export(made, MadeMovie.settings(), to: output)
        let file = made.movie.folder.file(output)
        try await expect(["2-6 One", "8-14 Two & three", "16-19 Grüße"], in: file, result.notes)
        let report = try await FFProbe.inspect(file)
        let track = try #require(report.streams.first { $0.codecType == "subtitle" })
        #expect(["ger", "deu"].contains(track.tags?["language"]), "\(track)")
        #expect(try await made.movie.frames(of: output) == Array(0..<50))
        try await FFmpeg.decode(file)
    }

    @Test(arguments: ["out.mp4", "out.mkv"], [nil, 400 * MediaTime.millisecond])
    func `stay beside the frames of a file whose times begin later`(output: String, start: MediaTime?) async throws {
        let made = try await make("in.mkv", Array(Self.plain.utf8), codec: "srt")
        let late = made.movie.folder.file("late.mkv")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", made.input.string, "-map", "0", "-c", "copy", "-output_ts_offset", "7"]
                + [late])
        let range = start.map { TimeRange(start: $0, end: .second) }
        let result = try await export((made.movie, FilePath(late)), MadeMovie.settings(range), to: output)
        try await expect(
            start == nil ? ["2-6 One", "8-14 Two & three", "16-19 Grüße"] : ["0-2 One", "4-6 Two & three"],
            in: made.movie.folder.file(output), result.notes)
        #expect(try await made.movie.frames(of: output) == Array(start == nil ? 0..<50 : 10..<25))
    }

    @Test(arguments: ["out.mp4", "out.mkv"])
    func `end with a part, and begin with it`(output: String) async throws {
        let made = try await make("in.mkv", Array(Self.plain.utf8), codec: "srt")
        let range = TimeRange(start: 400 * .millisecond, end: .second)
        let result = try await export(made, MadeMovie.settings(range), to: output)
        try await expect(["0-2 One", "4-6 Two & three"], in: made.movie.folder.file(output), result.notes)
        #expect(try await made.movie.frames(of: output) == Array(10..<25))
    }

    @Test(arguments: [nil, 480 * MediaTime.millisecond])
    func `of a part that is copied from Matroska to Matroska`(start: MediaTime?) async throws {
        let made = try await make("in.mkv", BlurayText.file([0.5...0.7, 1.5...1.7]), "sup", codec: "copy")
        var settings = ExportSettings(preset: "copy")
        settings.range = TimeRange(start: start ?? 0, end: .second)
        _ = try await export(made, settings, to: "out.mkv")
        let report = try await FFProbe.inspect(made.movie.folder.file("out.mkv"))
        #expect(report.streams.map(\.codecName).contains("hdmv_pgs_subtitle"), "\(report)")
        try await FFmpeg.decode(made.movie.folder.file("out.mkv"))
    }

    @Test(arguments: ["out.mov", "out.mkv"], ["srt", "ass", "webvtt"])
    func `that overlap, or are shown longer than the frame, are all there`(output: String, codec: String) async throws {
        let made = try await make("in.mkv", Array(Self.overlapping.utf8), codec: codec)
        for settings in [MadeMovie.settings(), ExportSettings(preset: "copy")] {
            let result = try await export(made, settings, to: output)
            let expected =
                output.hasSuffix("mkv")
                ? ["2-14 First", "8-50 Second"] : ["2-8 First", "8-14 First|Second", "14-50 Second"]
            let file = made.movie.folder.file(output)
            try await expect(expected, in: file, result.notes)
            #expect(abs(result.duration.seconds - 5) < 0.1)
            let keeps = output.hasSuffix("mkv") || codec == "srt"
            #expect(result.notes.contains { $0.contains("as plain text") } == !keeps, "\(result.notes)")
            try FileManager.default.removeItem(atPath: file)
        }
    }

    @Test(arguments: [MadeMovie.settings(), ExportSettings(preset: "copy")])
    func `made of frames are kept in Matroska to the byte, and spoken of elsewhere`(settings: ExportSettings)
        async throws
    {
        let made = try await make("in.mkv", BlurayText.file([0.2...0.6, 0.8...1.4]), "sup", codec: "copy")
        func packets(_ name: String) async throws -> String {
            try await Tool.succeed(
                "ffprobe",
                [
                    "-v", "error", "-select_streams", "s", "-show_data_hash", "md5", "-show_entries",
                    "packet=data_hash:stream=codec_name:stream_tags=language", "-of", "csv=p=0",
                    made.movie.folder.file(name),
                ]
            ).text
        }
        let kept = try await export(made, settings, to: "out.mkv")
        #expect(try await packets("out.mkv") == packets("in.mkv"), "\(kept.notes)")
        #expect(try await made.movie.frames(of: "out.mkv") == Array(0..<50))
        #expect(!kept.notes.contains { $0.contains("left out") })
        let told = try await export(made, settings, to: "out.mov")
        #expect(
            told.notes.contains { $0.contains("movies cannot hold such subtitles (S_HDMV/PGS)") }, "\(told.notes)"
        )
    }

    /// As discs and television have them; their demuxer names them, and nothing behind it takes them.
    @Test(arguments: [
        ("in.m2ts", "-c:s copy", "hdmv_pgs_subtitle"), ("in.ts", "-c:s dvbsub", "dvb_subtitle"),
    ])
    func `made of frames are kept of transport streams too`(input: String, options: String, codec: String) async throws
    {
        let made = try await make("in.mkv", BlurayText.file([0.5...0.7, 1.5...1.7]), "sup", codec: "copy")
        let stream = made.movie.folder.file(input)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", made.input.string, "-map", "0", "-c", "copy", "-c:a", "ac3"]
                + Tool.words(options) + [stream])
        func times(_ name: String) async throws -> [Double] {
            try await FFProbe.packets("s", of: made.movie.folder.file(name)).compactMap { $0.ptsTime?.value }
        }
        let start = try #require(try await FFProbe.inspect(stream).format.startTime?.value)
        let range = TimeRange(start: 900 * .millisecond)
        for (settings, name, begin) in [
            (ExportSettings(preset: "copy"), "copied.mkv", 0.0), (MadeMovie.settings(range), "part.mkv", 0.9),
        ] {
            let result = try await ExportSession(input: FilePath(stream), settings: settings)
                .export(to: MovieDestination(FilePath(made.movie.folder.file(name))))
            let report = try await FFProbe.inspect(made.movie.folder.file(name))
            let subtitles = report.streams.filter { $0.codecType == "subtitle" }
            #expect(subtitles.map(\.codecName) == [codec], "\(result.notes)")
            #expect(!result.notes.contains { $0.contains("left out") }, "\(result.notes)")
            let wanted = try await times(input).map { $0 - start - begin }.filter { $0 > 0 }
            let found = try await times(name)
            #expect(!wanted.isEmpty && found.count == wanted.count, "\(found)")
            #expect(zip(wanted, found).allSatisfy { abs($0 - $1) < 0.03 }, "\(wanted) \(found)")
            try await FFmpeg.decode(made.movie.folder.file(name))
        }
        let told = try await ExportSession(input: FilePath(stream), settings: MadeMovie.settings())
            .export(to: MovieDestination(FilePath(made.movie.folder.file("out.mov")))).notes
        #expect(told.contains { $0.contains("Image subtitles") && $0.contains("left out") }, "\(told)")
    }

    @Test(arguments: ["out.mka", "out.m4a", "out.flac", "out.wav"]) func `are told where a file has audio alone`(
        name: String
    ) async throws {
        let made = try await make("in.mkv", Array(Self.overlapping.utf8), codec: "srt")
        let result = try await export(made, ExportSettings(preset: name == "out.mka" ? "copy" : "h264"), to: name)
        #expect(result.notes.contains { $0.contains("in.mkv were left out") }, "\(result.notes)")
        var settings = ExportSettings(preset: "h264")
        settings.subtitleTracks = TrackSelection.none
        let asked = try await export(made, settings, to: "none-\(name)")
        #expect(!asked.notes.contains { $0.contains("ubtitles") }, "\(asked.notes)")
    }
}
