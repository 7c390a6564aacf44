import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Exports that play faster or slower than their input.
@Suite(.timeLimit(.minutes(10))) struct SpeedTests {
    /// Frames that are numbered by their brightness, silence and then a tone, chapters and subtitles.
    private static func make(in folder: TemporaryFolder) async throws -> FilePath {
        let texts = """
            ;FFMETADATA1
            [CHAPTER]
            TIMEBASE=1/1000
            START=0
            END=2000
            title=One
            [CHAPTER]
            TIMEBASE=1/1000
            START=2000
            END=4000
            title=Two
            """
        try Data(texts.utf8).write(to: URL(filePath: folder.file("chapters.txt")))
        try Data("1\n00:00:01,000 --> 00:00:03,000\nHello\n".utf8).write(to: URL(filePath: folder.file("texts.srt")))
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                "color=gray:s=64x48:r=30:d=4,geq=lum='16+N':cb=128:cr=128",
                "-f", "lavfi", "-i", "sine=1000:d=2:r=48000,adelay=2000", "-i", folder.file("texts.srt"), "-i",
                folder.file("chapters.txt"), "-map", "0", "-map", "1", "-map", "2", "-map_chapters", "3", "-c:v",
                "libx264", "-qp", "0", "-c:a", "aac", "-c:s", "srt", folder.file("in.mkv"),
            ])
        return FilePath(folder.file("in.mkv"))
    }

    /// - Returns: its result, what it has, and when its tone begins, in seconds.
    private static func export(
        _ speed: Double, _ name: String, in folder: TemporaryFolder, _ change: (inout ExportSettings) -> Void = { _ in }
    ) async throws -> (result: ExportResult, probe: FFProbe.Report, tone: Double) {
        var settings = ExportSettings(preset: "h264")
        settings.speed = speed
        change(&settings)
        let result = try await ExportSession(input: try await make(in: folder), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name))))
        let report = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-hide_banner", "-i", folder.file(name), "-vn", "-af", "silencedetect=-30dB:d=0.2", "-f",
                "null", "-",
            ])
        let end = report.errors.split(separator: "silence_end: ").dropFirst().first?.prefix { $0 != " " } ?? ""
        return (result, try await FFProbe.inspect(folder.file(name)), try #require(Double(end)))
    }

    @Test(arguments: [(2.0, 60), (0.5, 120)])
    func `frames, audio, chapters and subtitles are where they were`(speed: Double, frames: Int) async throws {
        let folder = try TemporaryFolder()
        let (result, probe, tone) = try await Self.export(speed, "out.mp4", in: folder)
        #expect(result.notes.first?.contains("\(speed == 2 ? "2" : "0.5") times as fast") == true, "\(result.notes)")
        #expect(result.notes.count == 1, "\(result.notes)")
        #expect(abs(result.duration.seconds - 4 / speed) < 0.06)
        #expect(abs(tone - 2 / speed) < 0.05)
        for stream in probe.streams { #expect(abs((stream.duration?.value ?? 0) - 4 / speed) < 0.05, "\(stream)") }
        #expect(probe.chapters?.map(\.startTime.value) == [0, 2 / speed])
        #expect(
            try await ReadSubtitles.texts(of: folder.file("out.mp4"), keepsPlaces: false) == [
                speed == 2 ? "5-15 Hello" : "20-60 Hello"
            ])
        let shown = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0",
                folder.file("out.mp4"),
            ]
        ).text.split(whereSeparator: { $0 == "\n" || $0 == "," }).compactMap { Double($0) }
        let rate = speed == 2 ? 30.0 : 15
        #expect(shown.count == frames)
        #expect(zip(shown, 0...).allSatisfy { abs($0 - shown[0] - Double($1) / rate) < 0.002 }, "\(shown.prefix(5))")
        // Each frame's brightness is its number in the input, of which the eight bits of video begin with 16 and end with 235.
        let gray = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", folder.file("out.mp4"), "-vf", "scale=1:1,format=gray", "-f",
                "rawvideo", "-",
            ],
            limit: .seconds(60)
        ).output
        let step = 30 / rate * speed * 255 / 219
        let distances: [Double] = zip(gray, 0...).map { abs(Double($0) - Double($1) * step) }
        #expect(distances.allSatisfy { $0 <= 2.5 }, "\(distances)")
    }

    @Test func `audio by itself, parts of the input and a rate that was asked for are as long as they should be`()
        async throws
    {
        let folder = try TemporaryFolder()
        let (voice, _, _) = try await Self.export(1.5, "voice.mp3", in: folder)
        #expect(abs(voice.duration.seconds - 4 / 1.5) < 0.05)
        let (part, probe, tone) = try await Self.export(4, "part.mkv", in: folder) {
            $0.range = TimeRange(start: .second, end: .second * 3)
            $0.rate = Fraction(60)
        }
        #expect(part.frames == 30)
        #expect(abs(tone - 0.25) < 0.05)
        #expect(abs((probe.format.duration?.value ?? 0) - 0.5) < 0.05)
    }

    @Test(arguments: [
        ("copy", .preset, 2.0, "What is copied keeps its speed"), ("h264", .copy, 2, "What is copied keeps its speed"),
        ("h264", ExportSettings.AudioHandling.preset, 11, "it is from 0.1 to 10"),
    ]) func `what cannot be as fast is refused`(
        preset: String, audio: ExportSettings.AudioHandling, speed: Double, words: String
    ) async throws {
        let folder = try TemporaryFolder()
        let error = await #expect(throws: RushesError.self) {
            _ = try await Self.export(speed, "out.mp4", in: folder) { ($0.preset, $0.audio) = (preset, audio) }
        }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(!folder.contents.contains("out.mp4"))
    }
}
