import Export
import GStreamer
import TestSupport
import Testing

/// Parts that are encoded anew, beside ffmpeg's -ss and -t.
@Suite("A part that is encoded", .serialized, .timeLimit(.minutes(5))) struct PartTests {
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

    /// Between two pictures: nearer to the one before, and nearer to the one after.
    static let starts: [Nanoseconds] = [1250, 1275].map { $0 * .millisecond }

    @Test("has ffmpeg's pictures and as much sound", arguments: inputs)
    func pictures(_ input: Input) async throws {
        let movie = try await MadeMovie(input.name, input.options)
        for start in Self.starts {
            let length: Nanoseconds = 750 * .millisecond
            let range = TimeRange(start: start, end: start + length)
            let result = try await movie.export(MadeMovie.settings(range), to: "part-\(start).mp4")
            let expected = try await movie.pictures(from: start.seconds, lasting: length.seconds)
            #expect(try await movie.pictures(of: "part-\(start).mp4") == expected, "from \(start.seconds)")
            #expect(result.frames == expected.count)
            let report = try await FFProbe.inspect(movie.folder.file("part-\(start).mp4"))
            #expect(abs((report.audio.first?.duration?.value ?? 0) - length.seconds) < 1024.0 / 48000 + 0.001)
        }
    }

    @Test(
        "of an AVI file has as many pictures as ffmpeg's, also where they are reordered",
        arguments: ["-c:v mpeg4 -bf 2 -g 12", "-c:v libx264 -preset veryfast -bf 2 -g 12"])
    func places(_ options: String) async throws {
        let movie = try await MadeMovie("numbers.avi", options + " -c:a libmp3lame")
        for start in Self.starts {
            let range = TimeRange(start: start, end: start + 750 * .millisecond)
            _ = try await movie.export(MadeMovie.settings(range), to: "part-\(start).mp4")
            let pictures = try await movie.pictures(of: "part-\(start).mp4")
            #expect(try await pictures.count == movie.pictures(from: start.seconds, lasting: 0.75).count)
            // One after the other, and none twice.
            #expect(zip(pictures, pictures.dropFirst()).allSatisfy { $0 + 1 == $1 }, "\(pictures)")
        }
    }
}
