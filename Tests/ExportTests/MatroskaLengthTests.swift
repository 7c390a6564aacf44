import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Matroska and WebM that do not say how long they are, as browsers record them and as they are written into pipes: all of it is there.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MatroskaLengthTests {
    /// Six seconds.
    private static func make(_ name: String) async throws -> MadeMovie {
        let movie = try await MadeMovie(
            name,
            "-c:v libx264 -preset ultrafast -g 25 -sc_threshold 0 -bf 0 -c:a libopus -b:a 96k -f matroska -live 1",
            seconds: 6)
        #expect(try await FFProbe.inspect(movie.path).format.duration == nil)
        return movie
    }

    @Test func `a part near the end is found`() async throws {
        let movie = try await Self.make("in.webm")
        let result = try await movie.export(MadeMovie.settings(TimeRange(start: 5600 * .millisecond)), to: "out.mp4")
        #expect(try await movie.frames(of: "out.mp4") == Array(140..<150), "\(result.notes)")
    }

    @Test func `what lies behind the end is told`() async throws {
        let movie = try await Self.make("in.mkv")
        let error = await #expect(throws: RushesError.self) {
            try await movie.export(MadeMovie.settings(TimeRange(start: 6500 * .millisecond)), to: "out.mp4")
        }
        #expect(error?.description.contains("lasts 6.0") == true, "\(String(describing: error))")
    }

    @Test func `pieces are as long as they were asked for`() async throws {
        let movie = try await Self.make("in.mkv")
        let made = try await ExportSession(input: FilePath(movie.path), settings: MadeMovie.settings(), center: nil)
            .export([.every(.second)], to: MovieDestination(FilePath(movie.folder.file("cut.mp4"))))
        var frames: [[Int]] = []
        for file in made.files { frames.append(try await MadeMovie.frames(at: file.path.string)) }
        #expect(frames == (0..<6).map { Array($0 * 25..<$0 * 25 + 25) })
    }

    /// Clusters of five seconds with two or three key frames each.
    @Test func `copied pieces have every frame once`() async throws {
        let movie = try await MadeMovie(
            "in.webm", "-c:v libvpx -b:v 300k -g 50 -keyint_min 50 -c:a libopus -f webm -live 1", seconds: 9)
        let made = try await ExportSession(
            input: FilePath(movie.path), settings: ExportSettings(preset: "copy"), center: nil
        )
        .export([.every(2 * .second)], to: MovieDestination(FilePath(movie.folder.file("cut.mkv"))))
        var frames: [[Int]] = []
        for file in made.files { frames.append(try await MadeMovie.frames(at: file.path.string)) }
        #expect(frames.map(\.first) == [0, 50, 100, 150, 200] && frames.flatMap(\.self) == Array(0..<225))
    }

    @Test(arguments: [3.0, 5, 7.5]) func `a copied part begins with the last key frame before it`(start: Double)
        async throws
    {
        let movie = try await MadeMovie(
            "in.webm", "-c:v libvpx -b:v 300k -g 50 -keyint_min 50 -c:a libopus -f webm -live 1", seconds: 9)
        var settings = ExportSettings(preset: "copy")
        settings.range = TimeRange(start: MediaTime(seconds: start))
        _ = try await movie.export(settings, to: "out.mkv")
        let first = Int(start / 2) * 50
        #expect(try await movie.frames(of: "out.mkv") == Array(first..<225))
    }
}
