import Encoding
import Export
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Matroska whose first blocks lie before the time 0, as of parts that were cut without encoding.
@Suite(.timeLimit(.minutes(3)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct NegativeTimeTests {
    /// - Parameter options: how its clusters are divided.
    private func movie(_ codec: String, _ options: String = "") async throws -> MadeMovie {
        try await MadeMovie(
            "in.mkv", "-c:v \(codec) -g 25 -c:a aac -output_ts_offset -1.5 -avoid_negative_ts disabled \(options)")
    }

    @Test(
        arguments: Cases.taken(
            of: ["mpeg4 -q:v 2", "libx264"],
            [("h264", "out.mp4", ""), ("copy", "out.mov", ""), ("copy", "out.mkv", "-cluster_time_limit 30000")],
            most: 3))
    func `are shown in order, with their audio`(
        codec: String, output: (preset: String, name: String, options: String)
    ) async throws {
        let movie = try await movie(codec, output.options)
        var settings = ExportSettings(preset: output.preset)
        settings.reencodes = output.preset != "copy"
        let result = try await movie.export(settings, to: output.name)
        #expect(try await movie.frames(of: output.name) == Array(0..<75), "\(result.notes)")
        let made = try await FFProbe.inspect(movie.folder.file(output.name))
        #expect(abs((made.format.duration?.value ?? 0) - 3) < 0.1)
        let told = try #require(try MovieInfo(readingMatroska: FilePath(movie.path)))
        #expect(abs(told.duration.seconds - 3) < 0.1)
    }

    @Test func `a part counts from the first of them`() async throws {
        let movie = try await movie("mpeg4 -q:v 2")
        let range = TimeRange(start: 500 * .millisecond, end: 1500 * .millisecond)
        _ = try await movie.export(MadeMovie.settings(range), to: "out.mp4")
        // The audio begins 23 ms before the frames.
        #expect(try await movie.frames(of: "out.mp4") == Array(12..<37))
    }
}
