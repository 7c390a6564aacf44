import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Subtitles that are drawn into the frames, beside what ffmpeg draws.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct BurntSubtitleTests {
    /// Times that lie on frames, between frames, and a text that is seen while another one comes.
    private static let texts = """
        1
        00:00:00,200 --> 00:00:00,700
        One

        2
        00:00:00,810 --> 00:00:01,430
        Two & <i>three</i>

        3
        00:00:01,390 --> 00:00:01,900
        Third


        """
    private static let script = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 320
        PlayResY: 180

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,DejaVu Sans,24,&H0000FFFF,&H000000FF,&H00FF0000,&H80000000,-1,0,0,0,100,100,0,0,1,2,1,8,10,10,10,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:00.30,0:00:01.50,Default,,0,0,0,,{\\move(60,40,260,140)}Moving

        """

    /// A grey movie of two seconds; of `text` a track of subtitles in German is put in.
    private func movie(_ text: String? = nil, _ ending: String = "srt", codec: String = "srt", _ options: String = "")
        async throws -> (folder: TemporaryFolder, input: FilePath)
    {
        let folder = try TemporaryFolder()
        try await Fixtures.make(
            folder.file("grey.mkv"), "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=0x606060:size=320x180:rate=25:duration=2"]
                + [
                    "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-profile:v",
                    "high444",
                ]
                + ["-color_range", "tv", "-colorspace", "bt709"])
        guard let text else { return (folder, FilePath(folder.file("grey.mkv"))) }
        try Data(text.utf8).write(to: URL(filePath: folder.file("texts.\(ending)")))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file("grey.mkv"), "-i", folder.file("texts.\(ending)")]
                + ["-map", "0", "-map", "1", "-c", "copy", "-c:s", codec, "-metadata:s:s", "language=ger"]
                + Tool.words(options) + [folder.file("in.mkv")])
        return (folder, FilePath(folder.file("in.mkv")))
    }

    private static func settings(_ choice: String, _ range: TimeRange? = nil) throws -> ExportSettings {
        var settings = ExportSettings(preset: "h264")
        settings.rateControl = .quality(95)
        let chosen: SubtitleChoice = try #require(SubtitleChoice(choice, path: { FilePath($0) }))
        settings.burntSubtitles = chosen
        settings.range = range
        return settings
    }

    private func export(
        _ made: (folder: TemporaryFolder, input: FilePath), _ settings: ExportSettings, to name: String = "out.mp4"
    ) async throws -> ExportResult {
        try await ExportSession(input: made.input, settings: settings)
            .export(to: MovieDestination(FilePath(made.folder.file(name))))
    }

    /// The luma of all frames, as ffmpeg decodes and filters them.
    private func frames(_ path: String, _ input: [String] = [], filter: String = "null") async throws -> [[UInt8]] {
        let result = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + input + ["-i", path, "-vf", filter, "-fps_mode", "passthrough"]
                + ["-map", "0:v", "-pix_fmt", "gray", "-f", "rawvideo", "-"])
        let (bytes, size) = (Array(result.output), 320 * 180)
        return stride(from: 0, to: bytes.count / size * size, by: size).map { Array(bytes[$0..<$0 + size]) }
    }

    /// Both show texts in the same frames and the same places.
    private func expectAlike(_ own: [[UInt8]], _ others: [[UInt8]]) throws {
        #expect(own.count == others.count)
        for (index, (one, other)) in zip(own, others).enumerated() {
            #expect(Pixels.differ(one, by: 40) == Pixels.differ(other, by: 40), "frame \(index)")
            // A letter in another place, or another one, is a hundred times that.
            #expect(Pixels.squaredError(one, other) < 4, "frame \(index)")
        }
        #expect(own.contains { Pixels.contains($0, above: 200) }, "nothing is drawn at all")
    }

    /// Their packets begin at other times than zero, from which a file of subtitles counts.
    @Test(arguments: ["grey.ts", "grey.mpg", "grey.flv"], [0, 0.4])
    func `a file of subtitles counts from the beginning of a stream`(name: String, start: Double) async throws {
        let made = try await movie()
        let (input, text) = (FilePath(made.folder.file(name)), made.folder.file("texts.srt"))
        try Data(Self.texts.utf8).write(to: URL(filePath: text))
        let codec = name.hasSuffix("mpg") ? ["mpeg2video", "-q:v", "2"] : ["libx264"]
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", made.input.string, "-c:v"] + codec + ["-bf", "0", "-pix_fmt", "yuv420p"]
                + (name.hasSuffix("flv") ? ["-output_ts_offset", "5"] : []) + [input.string])
        let range = start > 0 ? TimeRange(start: MediaTime(seconds: start)) : nil
        _ = try await ExportSession(input: input, settings: try Self.settings(text, range))
            .export(to: MovieDestination(FilePath(made.folder.file("out.mp4"))))
        let drawn = try await frames(made.folder.file("out.mp4")).enumerated().filter {
            Pixels.contains($0.element, above: 180)
        }
        let spans = [0.2..<0.7, 0.81..<1.9]
        let expected = (0..<50 - Int(start * 25)).filter { number in
            spans.contains { $0.contains(Double(number) / 25 + start) }
        }
        #expect(drawn.map(\.offset) == expected, "\(name)")
    }

    @Test(arguments: ["srt", "ass", "webvtt"])
    func `are what ffmpeg draws, frame by frame`(codec: String) async throws {
        let made = try await movie(Self.texts, codec: codec)
        let result = try await export(made, try Self.settings("1"))
        let input = made.input.string
        try expectAlike(
            try await frames(made.folder.file("out.mp4")), try await frames(input, filter: "subtitles=\(input)"))
        #expect(result.notes.contains { $0.contains("with subtitles in the frames") }, "\(result.notes)")
        let report = try await FFProbe.inspect(made.folder.file("out.mp4"))
        #expect(!report.streams.contains { $0.codecType == "subtitle" }, "what is drawn is not there twice")
    }

    @Test func `move as their script says, and come from a file of their own`() async throws {
        let made = try await movie()
        let script = made.folder.file("film.ass")
        try Data(Self.script.utf8).write(to: URL(filePath: script))
        _ = try await export(made, try Self.settings(script))
        try expectAlike(
            try await frames(made.folder.file("out.mp4")),
            try await frames(made.input.string, filter: "subtitles=\(script)"))
    }

    @Test func `of a part are those of its time, however it is reached`() async throws {
        let made = try await movie(Self.texts)
        let all = try await frames(made.input.string, filter: "subtitles=\(made.input.string)")
        _ = try await export(made, try Self.settings("de", TimeRange(start: 1200 * .millisecond, end: nil)))
        try expectAlike(try await frames(made.folder.file("out.mp4")), Array(all[30...]))
        var settings = try Self.settings("de")
        settings.parts = [
            TimeRange(start: 1400 * .millisecond, end: 1800 * .millisecond),
            TimeRange(start: 0, end: 400 * .millisecond),
        ]
        _ = try await export(made, settings, to: "parts.mp4")
        try expectAlike(try await frames(made.folder.file("parts.mp4")), Array(all[35..<45] + all[..<10]))
    }

    @Test func `are upright in frames that players turn, as large as the output's`() async throws {
        // One at a time, as an MP4 has them.
        let made = try await movie(Self.texts.replacing("00:00:01,390", with: "00:00:01,440"))
        let turned = made.folder.file("turned.mp4")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", made.input.string, "-c", "copy", "-metadata:s:v", "rotate=90"]
                + ["-c:s", "mov_text", turned])
        var settings = try Self.settings("1")
        settings.size = VideoSize(320, 180)
        _ = try await export((made.folder, FilePath(turned)), settings)
        // ffmpeg turns both upright, the other before it draws.
        let own = try await frames(made.folder.file("out.mp4"))
        let other = try await frames(turned, filter: "subtitles=\(made.input.string)")
        #expect(own.count == other.count)
        for (one, other) in zip(own, other) {
            let drawn = [one, other].map { Pixels.places(in: $0, above: 180) }
            #expect(abs(drawn[0].count - drawn[1].count) <= 8 + drawn[1].count / 10)
            guard let first = drawn[0].first, let last = drawn[1].first else { continue }
            #expect(abs(first / 180 - last / 180) <= 1, "upright, and in the same row")
        }
    }

    @Test func `as images are where the disc has them`() async throws {
        let made = try await movie()
        try Data(BlurayText.file([0.5...0.7, 1.5...1.7])).write(to: URL(filePath: made.folder.file("film.sup")))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", made.input.string, "-i", made.folder.file("film.sup")]
                // Or else the images would begin at once.
                + ["-copyts", "-map", "0", "-map", "1", "-c", "copy", made.folder.file("in.mkv")])
        for (index, choice) in ["1", made.folder.file("film.sup")].enumerated() {
            _ = try await export(
                (made.folder, FilePath(made.folder.file("in.mkv"))), try Self.settings(choice), to: "\(index).mp4")
            for (number, frame) in try await frames(made.folder.file("\(index).mp4")).enumerated() {
                let white = Pixels.places(in: frame, above: 180)
                let isShown = [13...17, 38...42].contains { $0.contains(number) }
                guard isShown else {
                    #expect(white.isEmpty, "frame \(number)")
                    continue
                }
                // 60 by 8 of 192 by 108 at 64, 90: five thirds of that here.
                let (x, y) = (white.map { $0 % 320 }, white.map { $0 / 320 })
                #expect(abs((x.min() ?? 0) - 107) <= 1 && abs((x.max() ?? 0) - 206) <= 1, "frame \(number)")
                #expect(abs((y.min() ?? 0) - 150) <= 1 && abs((y.max() ?? 0) - 162) <= 1, "frame \(number)")
            }
        }
    }

    @Test func `that are not there are told, before anything is written`() async throws {
        let made = try await movie(Self.texts)
        for (choice, words) in [
            ("2", "in.mkv has 1 subtitle track: 1 German"),
            (made.folder.file("none.srt"), "none.srt does not exist"),
        ] {
            let error = await #expect(throws: RushesError.self) { try await export(made, try Self.settings(choice)) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
        var settings = try Self.settings("1")
        settings.preset = "copy"
        settings.rateControl = .standard
        let error = await #expect(throws: RushesError.self) { try await export(made, settings) }
        #expect(error?.description.contains("What is copied keeps its frames") == true, "\(String(describing: error))")
        #expect(!FileManager.default.fileExists(atPath: made.folder.file("out.mp4")))
    }
}
