import Encoding
import Errors
import Export
import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Several parts of a movie in one export, beside ffmpeg's decoding of the whole.
@Suite("Several parts", .serialized, .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg"))
struct JoinedPartsTests {
    private static func parts(_ ranges: [(Int, Int?)]) -> [TimeRange] {
        ranges.map { TimeRange(start: $0 * .millisecond, end: $1.map { $0 * .millisecond }) }
    }

    private static func settings(_ preset: String, _ ranges: [(Int, Int?)]) -> ExportSettings {
        var settings = ExportSettings(preset: preset)
        settings.parts = parts(ranges)
        return settings
    }

    /// Frames at 25 a second.
    private static func numbers(_ ranges: [(Int, Int)]) -> [Int] { ranges.flatMap { Array($0.0..<$0.1) } }

    private func times(_ path: String) async throws -> [Double] {
        try await FFProbe.packets("v:0", of: path).compactMap { $0.ptsTime?.value }.sorted()
    }

    private func samples(_ path: String) async throws -> [Int16] {
        let result = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-f", "s16le", "-"])
        return result.output.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    @Test(
        "beyond the end of a movie that does not tell its length are refused, and no file is made",
        arguments: [true, false])
    func beyondTheEnd(isBeyond: Bool) async throws {
        let movie = try await MadeMovie(
            "stream.ts", "-c:v libx264 -preset ultrafast -g 25 -c:a aac -f mpegts", seconds: 4)
        let settings = Self.settings("h264", [(1000, isBeyond ? 20_000 : 3000), (0, 1000), (3000, 30_000)])
        guard isBeyond else {
            let result = try await movie.export(settings, to: "out.mp4")
            let report = try await FFProbe.inspect(movie.folder.file("out.mp4"))
            #expect(abs((report.format.duration?.value ?? 0) - 4) < 0.2, "\(result)")
            return
        }
        await #expect {
            _ = try await movie.export(settings, to: "out.mp4")
        } throws: { error in
            "\(error)".contains("stream.ts ends at 4.") && "\(error)".contains("before part 1 does")
        }
        #expect(!movie.folder.contents.contains("out.mp4"))
    }

    @Test(
        "have each frame and each sample once, in order and backwards",
        arguments: [
            ("edits.mov", "-c:v libx264 -preset veryfast -g 12 -bf 2 -c:a pcm_s16le")
        ])
    func exactly(name: String, options: String) async throws {
        let movie = try await MadeMovie(name, options, seconds: 9)
        // The first is far enough for a seek, the second goes back, the third begins between two frames.
        let settings = Self.settings("prores-422", [(6000, 7200), (400, 1000), (7990, 8810)])
        let result = try await movie.export(settings, to: "out.mov")
        let path = movie.folder.file("out.mov")
        let wanted = Self.numbers([(150, 180), (10, 25), (200, 221)])
        #expect(try await movie.frames(of: "out.mov") == wanted && result.frames == wanted.count)
        let times = try await times(path)
        #expect(times.enumerated().allSatisfy { abs($0.element - Double($0.offset) / 25) < 0.0005 }, "\(times)")
        let (all, got) = (try await samples(movie.path), try await samples(path))
        var place = 0
        for frames in [(150, 180), (10, 25), (200, 221)] {
            let count = (frames.1 - frames.0) * 1920
            // Matroska's times are rounded to thousandths of a second.
            let shifts = name.hasSuffix(".mkv") ? -24...24 : 0...0
            let heard = got.dropFirst(place).prefix(count).dropFirst(24).dropLast(24)
            #expect(
                shifts.contains { shift in
                    heard.elementsEqual(all[(frames.0 * 1920 + 24 + shift)...].prefix(heard.count))
                }, "\(frames)")
            place += count
        }
        #expect(got.count == place)
    }

    @Test("stay in step where neither stream is an exact one", arguments: ["in.ts", "in.avi", "in.mp4"])
    func inStep(name: String) async throws {
        let audio = name == "in.avi" ? "libmp3lame" : "aac"
        let movie = try await MadeMovie(name, "-c:v libx264 -preset veryfast -g 12 -bf 2 -c:a \(audio)", seconds: 8)
        let ranges = [(1000, 2000), (5000, 6000), (3000, 4000)]
        _ = try await movie.export(Self.settings("h264", ranges), to: "out.mov")
        let path = movie.folder.file("out.mov")
        var wanted = Self.numbers(ranges.map { ($0.0 / 40, $0.1 / 40) })
        if name == "in.avi" {
            // Its frames are placed by their chunks.
            wanted = []
            for range in ranges { wanted += try await movie.frames(from: Double(range.0) / 1000, lasting: 1) }
        }
        #expect(try await movie.frames(of: "out.mov") == wanted)
        // Where no index tells of frames, a part may end within one.
        #expect(try await times(path).enumerated().allSatisfy { abs($0.element - Double($0.offset) / 25) < 0.04 })
        // The tone rises: its pitch tells which second is heard.
        let rate = 16000
        let audioTrack = try await FFmpeg.audio(of: path, rate: rate)
        let length = Double(audioTrack.count) / Double(rate)
        #expect(abs(length - 3) < 0.05)
        for (part, range) in ranges.enumerated() {
            for place in [0.25, 0.5, 0.75] {
                let time = Double(range.0) / 1000 + place
                let begin = Int((Double(part) + place - 0.1) * Double(rate))
                let heard = Self.crossings(audioTrack[begin..<begin + rate / 5]) / 0.2
                // sin(2π(200+150t)t) has this frequency at t.
                #expect(abs(heard - (200 + 300 * time)) < 15, "\(heard) Hz at \(time) s")
            }
        }
    }

    @Test("of a short transport stream, whose length is a guess, are there")
    func shortStream() async throws {
        let movie = try await MadeMovie("in.ts", "-c:v libx264 -preset veryfast -g 12 -bf 2 -c:a aac")
        _ = try await movie.export(Self.settings("h264", [(0, 1000), (2000, 2400)]), to: "out.mov")
        #expect(try await movie.frames(of: "out.mov") == Self.numbers([(0, 25), (50, 60)]))
    }

    private static func crossings(_ samples: ArraySlice<Float>) -> Double {
        Double(zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 })
    }

    @Test(
        "keep chapters and subtitles at their frames, in MOV and Matroska, and where they are copied",
        arguments: [("h264", "out.mov"), ("h264", "out.mkv"), ("copy", "out.mov")])
    func extras(preset: String, output: String) async throws {
        let folder = try TemporaryFolder()
        try Data(
            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=3000\ntitle=one\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=3000\nEND=8000\ntitle=two\n"
                .utf8
        ).write(to: URL(filePath: folder.file("chapters.txt")))
        try Data(
            "1\n00:00:01,200 --> 00:00:01,800\nfirst\n\n2\n00:00:03,500 --> 00:00:06,500\nlong\n\n3\n00:00:07,000 --> 00:00:07,500\nnever\n"
                .utf8
        ).write(to: URL(filePath: folder.file("texts.srt")))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=8"]
                + ["-i", folder.file("texts.srt"), "-i", folder.file("chapters.txt"), "-map_metadata", "2"]
                + ["-map", "0", "-map", "1", "-c:v", "libx264", "-preset", "ultrafast", "-c:s", "mov_text"]
                + [folder.file("in.mov")])
        let settings = Self.settings(preset, [(6000, 6800), (1000, 2000), (4000, 4600)])
        _ = try await ExportSession(input: FilePath(folder.file("in.mov")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(output))))
        let report = try await FFProbe.inspect(folder.file(output))
        #expect(report.chapters?.map { $0.tags?["title"] } == ["two", "one", "two"])
        #expect(report.chapters?.map { Int(($0.startTime.value * 1000).rounded()) } == [0, 800, 1800])
        let texts = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", folder.file(output), "-map", "0:s:0", "-f", "srt", "-"])
        let lines = String(decoding: texts.output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(
            lines.filter { $0.contains("-->") } == [
                "00:00:00,000 --> 00:00:00,500", "00:00:01,000 --> 00:00:01,600", "00:00:01,800 --> 00:00:02,400",
            ], "\(lines)")
        // Movies' texts come with a font.
        let words = lines.compactMap { line in ["first", "long", "never"].first { line.contains($0) } }
        #expect(words == ["long", "first", "long"])
    }

    @Test("of audio alone are joined to the sample")
    func audioAlone() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "aevalsrc='0.4*sin(2*PI*(90+40*t)*t)':s=44100:d=6"]
                + ["-c:a", "pcm_s16le", folder.file("in.wav")])
        let settings = Self.settings("h264", [(4000, 5000), (500, 900), (5500, nil)])
        _ = try await ExportSession(input: FilePath(folder.file("in.wav")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.flac"))))
        let (all, got) = (try await samples(folder.file("in.wav")), try await samples(folder.file("out.flac")))
        let parts: [Range<Int>] = [176_400..<220_500, 22050..<39690, 242_550..<264_600]
        let wanted = parts.flatMap { all[$0] }
        #expect(got == wanted, "\(got.count)")
    }

    @Test("are refused where there is none, and behind the end")
    func refusals() async throws {
        let movie = try await MadeMovie("in.mov", "-c:v libx264 -preset veryfast -c:a aac")
        await expect("ends before the part begins", movie, Self.settings("h264", [(0, 1000), (4000, 5000)]))
        await expect("No frame in", movie, Self.settings("h264", [(0, 1000), (2990, 3000)]))
    }

    private func expect(_ words: String, _ movie: MadeMovie, _ settings: ExportSettings) async {
        await #expect {
            _ = try await movie.export(settings, to: "out.mov")
        } throws: { error in
            "\(error)".contains(words)
        }
    }
}
