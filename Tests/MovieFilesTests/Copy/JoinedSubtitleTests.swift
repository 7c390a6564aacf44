import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// The subtitles of movies that are joined, as ffmpeg reads them.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct JoinedSubtitleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A movie of two seconds, with a text in each language.
    private func make(_ name: String, _ text: String, _ languages: [String]) async throws -> FilePath {
        var inputs: [String] = []
        var options: [String] = []
        for (index, language) in languages.enumerated() {
            let file = folder.file("\(name).\(index).srt")
            try "1\n00:00:00,500 --> 00:00:01,000\n\(text) \(language)\n".write(
                toFile: file, atomically: true, encoding: .utf8)
            inputs += ["-i", file]
            options += ["-map", "\(index + 2)", "-metadata:s:s:\(index)", "language=\(language)"]
        }
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=2", "-f", "lavfi"]
                + ["-i", "sine=440:duration=2"] + inputs + ["-map", "0", "-map", "1"] + options
                + ["-c:v", "libx264", "-c:a", "aac", "-c:s", name.hasSuffix("mkv") ? "srt" : "mov_text"]
                + [folder.file(name)])
        return FilePath(folder.file(name))
    }

    private func texts(_ path: FilePath, _ track: Int) async throws -> [String] {
        let text = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", path.string, "-map", "0:s:\(track)", "-c:s", "srt", "-f", "srt", "-"]
        ).text
        let lines = text.split(separator: "\n").filter { Int($0) == nil }
        // ffmpeg makes the styles of timed text into words.
        return lines.map { String($0).replacing(/<[^>]*>/, with: "") }
    }

    @Test(
        arguments: [
            ("mp4", "c.mp4", MovieJoin.Kind.movie(.mp4)), ("mov", "c.mov", .movie(.mov)),
            ("mkv", "c.mkv", .matroska(isWebM: false)), ("mkv", "c.mp4", .movie(.mp4)),
        ])
    func `follow each other, by language, where some movies lack them`(
        ending: String, name: String, kind: MovieJoin.Kind
    ) async throws {
        let inputs = [
            try await make("a.\(ending)", "one", ["ita", "spa"]), try await make("b.\(ending)", "two", []),
            try await make("c-in.\(ending)", "three", ["spa"]),
        ]
        let output = FilePath(folder.file(name))
        let result = try MovieJoin.join(inputs, to: output, as: kind, replacing: false)
        #expect(!result.notes.contains { $0.contains("left out") }, "\(result.notes)")
        #expect(result.frameCount == 150)
        let streams = try await FFProbe.inspect(output.string).streams.filter { $0.codecType == "subtitle" }
        #expect(streams.map { $0.tags?["language"] } == ["ita", "spa"])
        #expect(try await texts(output, 0) == ["00:00:00,500 --> 00:00:01,000", "one ita"])
        #expect(
            try await texts(output, 1) == [
                "00:00:00,500 --> 00:00:01,000", "one spa", "00:00:04,500 --> 00:00:05,000", "three spa",
            ])
        try await FFmpeg.decode(output.string)
        let size = try #require(try FileManager.default.attributesOfItem(atPath: output.string)[.size] as? UInt64)
        #expect(size == result.fileSize)
    }

    @Test func `audio alone is joined to M4A, and video is not`() async throws {
        let (audio, video) = (FilePath(folder.file("a.m4a")), try await make("v.mp4", "", []))
        _ = try await Tool.succeed(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=440:duration=2:sample_rate=48000", audio.string])
        let output = FilePath(folder.file("out.m4a"))
        #expect(throws: RushesError.self) {
            try MovieJoin.join([video, video], to: output, as: .audio, replacing: false)
        }
        let result = try MovieJoin.join([audio, audio], to: output, as: .audio, replacing: false)
        #expect(abs(result.duration.seconds - 4) < 0.001)
        let samples = try await FFmpeg.audio(of: output.string, rate: 48000)
        #expect(abs(samples.count - 192_000) <= 1024)
    }
}
