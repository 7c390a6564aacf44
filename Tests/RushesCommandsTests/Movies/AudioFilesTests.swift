import Foundation
import TestSupport
import Testing

/// Files of audio alone on the command line: joined, and batches into them.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct AudioFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ options: String = "") async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=440:r=48000:d=1"] + Tool.words(options)
                + [folder.file(name)])
    }

    private func run(_ words: String) async throws -> (status: Int32, errors: String) {
        let result = try await BuiltCommand.rushes.run(
            Tool.words(words) + ["--progress", "none"], folder: folder.path)
        return (result.status, result.errors)
    }

    @Test func `a tape of two kinds becomes one file`() async throws {
        try await make("a.wav")
        try await make("b.flac")
        let result = try await run("join a.wav b.flac --output tape.flac")
        #expect(result.status == 0, "\(result)")
        let audio = try await FFmpeg.audio(of: folder.file("tape.flac"), rate: 48_000)
        #expect(audio.count == 96_000)
    }

    @Test func `the silence behind MP3 is told`() async throws {
        try await make("a.mp3")
        try await make("b.mp3")
        let result = try await run("join a.mp3 b.mp3 --output tape.mp3")
        #expect(result.status == 0 && result.errors.contains("MP3 holds whole frames alone"), "\(result)")
    }

    @Test(arguments: [("--size 64x48", "--size is for video"), ("--audio copy", "leave --audio copy out")])
    func `what is for video is refused`(option: String, words: String) async throws {
        try await make("a.wav")
        try await make("b.wav")
        let result = try await run("join a.wav b.wav --output tape.wav \(option)")
        #expect(result.status == 64 && result.errors.contains(words), "\(result)")
    }

    @Test func `a folder becomes Opus`() async throws {
        try await make("a.wav")
        try await make("b.mp3")
        let result = try await run("transcode a.wav b.mp3 --output-directory out --container opus")
        #expect(result.status == 0, "\(result)")
        for name in ["out/a.opus", "out/b.opus"] {
            #expect(try await FFProbe.inspect(folder.file(name)).audio.map(\.codecName) == ["opus"])
        }
    }
}
