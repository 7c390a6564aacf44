import Errors
import Export
import GStreamer
import TestSupport
import Testing

/// Parts that are encoded again, beside ffmpeg's -ss and -t.
@Suite("A part that is encoded", .serialized, .timeLimit(.minutes(10))) struct PartTests {
    struct Input: Sendable, CustomTestStringConvertible {
        var name: String
        var options: String
        var testDescription: String { "\(name) \(options)" }
    }

    private static let reordered = "-c:v libx264 -preset veryfast -g 12 -bf 2 -c:a aac"
    static let inputs = [
        Input(name: "edits.mov", options: reordered),
        Input(name: "late.mp4", options: reordered + " -output_ts_offset 0.3"),
        Input(name: "milliseconds.mkv", options: reordered),
    ]

    /// A packet of AAC, in seconds.
    private static let tolerance = 1024.0 / 48000 + 0.001

    /// Between two frames: nearer to the one before, and nearer to the one after.
    static let starts: [MediaTime] = [1250, 1275].map { $0 * .millisecond }

    @Test("has ffmpeg's frames and as much audio", arguments: inputs)
    func frames(_ input: Input) async throws {
        let movie = try await MadeMovie(input.name, input.options)
        for start in Self.starts {
            let length: MediaTime = 750 * .millisecond
            let range = TimeRange(start: start, end: start + length)
            let result = try await movie.export(MadeMovie.settings(range), to: "part-\(start).mp4")
            let expected = try await movie.frames(from: start.seconds, lasting: length.seconds)
            #expect(try await movie.frames(of: "part-\(start).mp4") == expected, "from \(start.seconds)")
            #expect(result.frames == expected.count)
            let report = try await FFProbe.inspect(movie.folder.file("part-\(start).mp4"))
            let audio = report.audio.first?.duration?.value ?? 0
            #expect(abs(audio - length.seconds) < Self.tolerance)
        }
    }

    @Test(
        "of an AVI file has ffmpeg's frames, also where they are reordered or packed",
        arguments: [
            "-c:v mpeg4 -bf 2 -g 12", "-c:v libx264 -preset veryfast -bf 2 -g 12",
            // Two frames in one chunk, and none in the next.
            "-c:v libxvid -bf 2 -g 12",
        ])
    func places(_ options: String) async throws {
        let movie = try await MadeMovie("numbers.avi", options + " -c:a libmp3lame")
        // The last lies in the middle between two frames.
        for start in Self.starts + [1500 * .millisecond] {
            let length: MediaTime = 750 * .millisecond
            _ = try await movie.export(
                MadeMovie.settings(TimeRange(start: start, end: start + length)), to: "part-\(start).mp4")
            let expected = try await movie.frames(from: start.seconds, lasting: length.seconds)
            #expect(try await movie.frames(of: "part-\(start).mp4") == expected, "from \(start.seconds)")
            let report = try await FFProbe.inspect(movie.folder.file("part-\(start).mp4"))
            let audio = report.audio.first?.duration?.value ?? 0
            #expect(abs(audio - length.seconds) < Self.tolerance)
        }
    }

    @Test("of the whole of an AVI file shows each frame when ffmpeg does")
    func wholePlaces() async throws {
        let movie = try await MadeMovie("numbers.avi", "-c:v libx264 -preset veryfast -bf 2 -g 12 -c:a libmp3lame")
        _ = try await movie.export(MadeMovie.settings(), to: "whole.mp4")
        #expect(try await movie.frames(of: "whole.mp4") == Array(0..<75))
        let wanted = try await FFProbe.frames("v:0", of: movie.path).compactMap(\.bestEffortTimestampTime?.value)
        let times = try await FFProbe.frames("v:0", of: movie.folder.file("whole.mp4"))
            .compactMap(\.bestEffortTimestampTime?.value)
        // At the end ffmpeg has no more chunks to count.
        try #require(wanted.count >= 72 && times.count == 75)
        for index in 0..<72 { #expect(abs(times[index] - wanted[index]) < 0.001, "frame \(index)") }
    }

    @Test(
        "of a stream counts from its first packet, be it one that is not decoded",
        arguments: [
            Input(name: "closed.ts", options: "-c:v libx264 -preset veryfast -bf 2 -g 12 -c:a aac"),
            Input(name: "open.ts", options: "-c:v mpeg2video -q:v 2 -bf 2 -g 12 -c:a mp2"),
            Input(name: "disc.vob", options: "-c:v mpeg2video -q:v 2 -bf 2 -g 12 -c:a mp2"),
            Input(
                name: "camera.m2ts", options: "-c:v libx264 -preset veryfast -bf 2 -g 12 -c:a ac3 -mpegts_m2ts_mode 1"),
        ])
    func streams(_ input: Input) async throws {
        let movie = try await MadeMovie(input.name, input.options)
        // ffmpeg's own -ss begins in the middle of a group there, so its times are the judge.
        let report = try await FFProbe.inspect(movie.path)
        let begin = try #require(report.format.startTime?.value)
        let times = try await FFProbe.frames("v:0", of: movie.path).compactMap(\.bestEffortTimestampTime?.value)
        try #require(times.count >= 74)
        // On a frame, right before and behind it, and at times that people ask for.
        let on = MediaTime(seconds: times[30] - begin)
        for start in [on, on - .millisecond, on + .millisecond, 1250 * .millisecond, 1500 * .millisecond] {
            let length: MediaTime = 400 * .millisecond
            _ = try await movie.export(
                MadeMovie.settings(TimeRange(start: start, end: start + length)), to: "part-\(start).mp4")
            let first = try #require(times.firstIndex { $0 - begin >= start.seconds - 0.00002 })
            let frames = try await movie.frames(of: "part-\(start).mp4")
            #expect(frames == Array(first..<first + 10), "from \(start.seconds)")
            let part = try await FFProbe.inspect(movie.folder.file("part-\(start).mp4"))
            #expect(part.audio.count == 1, "from \(start.seconds)")
        }
    }

    @Test("in which no frame begins is refused in one sentence", arguments: ["take.mp4", "take.mkv"])
    func none(_ name: String) async throws {
        let movie = try await MadeMovie(name, Self.reordered + " -af apad=whole_dur=6")
        let range = TimeRange(start: 4 * .second, end: 5 * .second)
        let error = await #expect(throws: RushesError.self) {
            try await movie.export(MadeMovie.settings(range), to: "part.mov")
        }
        let words = "begins in the part; choose a longer one"
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(movie.folder.contents == [name])
    }
}
