import Errors
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// Movies behind each other, without encoding; judged by ffprobe and ffmpeg's decoder.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MovieJoinTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A movie whose audio is one tone.
    private func make(_ name: String, _ tone: Int, seconds: Int, size: String = "160x96") async throws -> FilePath {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25:duration=\(seconds)"]
                + ["-f", "lavfi", "-i", "sine=\(tone):duration=\(seconds):sample_rate=48000", "-c:v", "libx264"]
                + ["-g", "25", "-bf", "2", "-pix_fmt", "yuv420p", "-c:a", "aac", "-metadata", "title=\(name)"]
                + [folder.file(name)])
        return FilePath(folder.file(name))
    }

    private func packets(_ path: FilePath, _ stream: String) async throws -> [String] {
        let isMovie = !path.string.hasSuffix(".mkv")
        return try await Tool.succeed(
            "ffprobe",
            ["-v", "error"] + (isMovie ? ["-ignore_editlist", "1"] : [])
                + ["-select_streams", stream, "-show_packets", "-show_data_hash", "md5", "-show_entries"]
                + ["packet=data_hash", "-of", "csv=p=0", path.string]
        ).text.split(separator: "\n").map { $0.filter(\.isHexDigit) }
    }

    @Test(
        arguments: [("a.mov", "b.mov"), ("a.mov", "b.mp4"), ("a.mkv", "b.mkv"), ("a.mp4", "b.mp4")], ["c.mov", "c.mp4"])
    func `all packets are there, and sound changes with the frames`(names: (String, String), output: String)
        async throws
    {
        let inputs = [
            try await make(names.0, 440, seconds: 2), try await make(names.1, 880, seconds: 3),
        ]
        let joined = FilePath(folder.file(output))
        let type: MovieJoin.Kind = .movie(output.hasSuffix("mov") ? .mov : .mp4)
        let result = try MovieJoin.join(inputs, to: joined, as: type, replacing: false)
        #expect(result.frameCount == 125 && abs(result.duration - 5) < 0.05)
        for stream in ["v", "a"] {
            let (first, second) = (try await packets(inputs[0], stream), try await packets(inputs[1], stream))
            #expect(try await packets(joined, stream) == first + second)
        }
        try await FFmpeg.decode(joined.string)
        let times = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0"]
                + [joined.string]
        ).text.split(separator: "\n").compactMap { Double($0.filter { $0 != "," }) }.sorted()
        #expect(times.count == 125)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.001 }, "\(times)")
        try await expectTones(joined)
    }

    /// The tone changes where the fifty-first frame is shown, but for a packet.
    private func expectTones(_ path: FilePath) async throws {
        let bytes = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", path.string, "-map", "0:a", "-ac", "1", "-f", "s16le", "-"]
        ).output
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        func frequency(at seconds: Double) -> Double {
            let part = samples.dropFirst(Int(seconds * 48000)).prefix(2400)
            let crossings = zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }
            return Double(crossings) * 10
        }
        #expect(abs(frequency(at: 1.92) - 440) < 25 && abs(frequency(at: 2.05) - 880) < 25)
        #expect(abs(Double(samples.count) / 48000 - 5) < 0.05)
    }

    @Test(arguments: [("a.mov", "b.mp4"), ("a.mkv", "b.mkv")])
    func `Matroska has all frames at their times, and the sound of each movie with them`(names: (String, String))
        async throws
    {
        let inputs = [
            try await make(names.0, 440, seconds: 2), try await make(names.1, 880, seconds: 3),
        ]
        let joined = FilePath(folder.file("c.mkv"))
        let result = try MovieJoin.join(inputs, to: joined, as: .matroska(isWebM: false), replacing: false)
        #expect(result.frameCount == 125 && abs(result.duration - 5) < 0.1, "\(result)")
        let (first, second) = (try await packets(inputs[0], "v"), try await packets(inputs[1], "v"))
        #expect(try await packets(joined, "v") == first + second)
        try await FFmpeg.decode(joined.string)
        let times = try await FFProbe.frames("v:0", of: joined.string).compactMap { $0.ptsTime?.value }
        let start = try #require(times.first)
        #expect(times.count == 125)
        #expect(times.enumerated().allSatisfy { abs($1 - start - Double($0) * 0.04) < 0.0015 }, "\(times)")
        let audio = try await FFProbe.packets("a:0", of: joined.string).compactMap { $0.ptsTime?.value }
        #expect(zip(audio, audio.dropFirst()).allSatisfy { $0 < $1 && $1 - $0 < 0.05 }, "\(audio)")
        try await expectTones(joined)
    }

    @Test func `what is not alike is told, and no file is made`() async throws {
        let first = try await make("a.mov", 440, seconds: 1)
        let wide = try await make("wide.mov", 440, seconds: 1, size: "320x96")
        let error = #expect(throws: RushesError.self) {
            try MovieJoin.join([first, wide], to: FilePath(folder.file("c.mov")), as: .movie(.mov), replacing: false)
        }
        let words = "\(try #require(error))"
        #expect(words.contains("wide.mov cannot be joined as it is: its video is 'avc1' of 320×96"), "\(words)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("c.mov")))
    }
}
