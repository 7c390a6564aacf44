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

    @Test func `the last frame is shown where frames share their times`() async throws {
        let movie = try await MadeMovie(
            "in.mkv", "-frames:v 28 -c:v libvpx -b:v 300k -bsf:v setts=ts=floor(PTS/120)*120 -an", seconds: 2)
        let result = try await movie.export(MadeMovie.settings(), to: "out.mp4")
        #expect(result.frames == 28)
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<28))
    }

    @Test func `nothing is said of a last frame that nobody says the length of`() async throws {
        let movie = try await MadeMovie(
            "in.mkv", "-c:v libx264 -preset ultrafast -bf 0 -bsf:v setts=ts=PTS*8 -an -f matroska -live 1", seconds: 1)
        // The usual length of a frame becomes nothing (RFC 9559 sections 5.1.4.1.13 and 5.1.1).
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        let usual = try #require(bytes.firstRange(of: Data([0x23, 0xE3, 0x83, 0x84])))
        bytes.replaceSubrange(
            usual.lowerBound..<usual.upperBound + 4, with: [0xEC, 0x86] + [UInt8](repeating: 0, count: 6))
        try bytes.write(to: URL(filePath: movie.path))
        for preset in ["h264", "copy"] {
            let result = try await movie.export(ExportSettings(preset: preset), to: "\(preset).mkv")
            #expect(!result.notes.contains { $0.contains("before the input") }, "\(result.notes)")
        }
    }

    /// Behind all else, and not where the file's index of itself says.
    @Test(arguments: ["h264", "copy"]) func `chapters are found that the index of the file does not name`(
        preset: String
    ) async throws {
        let movie = try await MadeMovie("in.mkv", "-c:v libx264 -preset ultrafast -c:a aac", seconds: 2)
        let (named, list) = (movie.folder.file("named.mkv"), movie.folder.file("chapters"))
        let parts = [(0, 800, "One"), (800, 2000, "Two")].map {
            "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0.0)\nEND=\($0.1)\ntitle=\($0.2)\n"
        }
        try Data((";FFMETADATA1\n" + parts.joined()).utf8).write(to: URL(filePath: list))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.path, "-i", list, "-map_chapters", "1", "-c", "copy", named])
        var bytes = try Data(contentsOf: URL(filePath: named))
        // The first time the index of the file says it.
        let chapters = try #require(bytes.ranges(of: Data([0x10, 0x43, 0xA7, 0x70])).dropFirst().first).lowerBound
        // A size of a byte (RFC 8794 section 4), and `Void` in their place.
        let moved = bytes[chapters..<chapters + 5 + Int(bytes[chapters + 4] & 0x7F)]
        try #require(bytes[chapters + 4] > 0x80 && moved.count < 120)
        bytes += moved
        bytes.replaceSubrange(chapters..<chapters + 2, with: [0xEC, 0x80 | UInt8(moved.count - 2)])
        let segment = try #require(bytes.firstRange(of: Data([0x18, 0x53, 0x80, 0x67]))).upperBound
        let size = segment + 1..<segment + 8
        let all: Int = bytes[size].reduce(0) { $0 << 8 | Int($1) } + moved.count
        let big = withUnsafeBytes(of: UInt64(all).bigEndian) { Data($0) }
        bytes.replaceSubrange(size, with: big.dropFirst())
        try bytes.write(to: URL(filePath: movie.path))
        let result = try await movie.export(ExportSettings(preset: preset), to: "out.mp4")
        let told = try await FFProbe.inspect(movie.folder.file("out.mp4")).chapters ?? []
        #expect(told.compactMap { $0.tags?["title"] } == ["One", "Two"], "\(told) \(result.notes)")
    }
}
