import Foundation
import TestSupport
import Testing

/// Names as long as the file system takes them leave no room for anything behind them.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct LongNameTests {
    /// - Parameter bytes: with the ending; the most that a name can have is 255.
    private static func name(_ ending: String, _ bytes: Int = 255) -> String {
        let room = bytes - ending.utf8.count - 1
        return String(repeating: "é", count: room / 2) + String(repeating: "x", count: room % 2) + "." + ending
    }

    private func run(_ arguments: [String], _ folder: TemporaryFolder) async throws {
        let result = try await BuiltCommand.rushes.run(arguments, limit: .seconds(120), folder: folder.path)
        #expect(result.status == 0, "\(result)")
    }

    @Test(arguments: [("mov", 255), ("mkv", 255), ("mov", 248)])
    func `a take is recorded, and replaces another`(ending: String, bytes: Int) async throws {
        let folder = try TemporaryFolder()
        let name = Self.name(ending, bytes)
        let take = ["record"] + Takes.small + ["--duration", "0.3", "--codec", "h264", name]
        try await run(take, folder)
        try await run(take + ["--overwrite"], folder)
        #expect(folder.contents == [name])
        try await FFmpeg.decode(folder.file(name))
    }

    @Test func `a movie is exported, copied, turned, tagged and recovered`() async throws {
        let folder = try TemporaryFolder()
        let (input, output, copy) = ("take.mp4", Self.name("mp4"), Self.name("mkv"))
        try await MovieFixture.finished.make(input, in: folder)
        for more in [[], ["--overwrite"]] {
            try await run(["transcode", input, "--preset", "h264", "--reencode", "--output", output] + more, folder)
            try await run(["transcode", input, "--preset", "copy", "--output", copy] + more, folder)
        }
        try await run(["rotate", output, "--angle", "90"], folder)
        try await run(["tag", output, "--title", "A title that is longer than the room for it"], folder)
        try await run(["rotate", input, "--angle", "90", "--overwrite", "--output", output], folder)
        try await MovieFixture.fragments.make("dead.mp4", in: folder)
        try await run(["recover", "dead.mp4", "--overwrite", "--output", output], folder)
        #expect(folder.contents == [copy, "dead.mp4", input, output].sorted())
        // Beside it there is room for a shorter name only.
        rename(folder.file("dead.mp4"), folder.file(Self.name("mp4", 254)))
        try await run(["recover", Self.name("mp4", 254)], folder)
        let recovered = try #require(folder.contents.first { $0.hasSuffix("é.recovered.mp4") })
        try await FFmpeg.decode(folder.file(recovered))
        for name in [output, copy] { try await FFmpeg.decode(folder.file(name)) }
    }

    @Test func `a path that is longer than the system takes is refused in one sentence`() async throws {
        let folder = try TemporaryFolder()
        let part = String(repeating: "d", count: 250)
        var place = ""
        while place.utf8.count < 3750 { place += part + "/" }
        _ = try await Tool.succeed("mkdir", ["-p", place], folder: folder.path)
        let file = place + String(repeating: "x", count: 100) + "/../" + String(repeating: "y", count: 250) + ".mov"
        _ = try await Tool.succeed("mkdir", [place + String(repeating: "x", count: 100)], folder: folder.path)
        try await Refusal.expect(
            ["record"] + Takes.small + ["--duration", "0.3", file], status: 1,
            saying: ["cannot be created", "File name too long"], in: folder)
    }

    @Test(.requires(tool: "strace", package: "strace"))
    func `a name that only the file system refuses is told once`() async throws {
        let folder = try TemporaryFolder()
        // As file systems of other systems refuse some characters: not before the file is created.
        let result = try await Tool.run(
            "strace",
            [
                "-f", "-qq", "-o", "/dev/null", "-P", folder.file("take.mov"), "-e", "trace=openat", "-e",
                "inject=openat:error=EINVAL", try BuiltCommand.rushes.path, "record", "--camera",
                "test:size=160x90", "--microphone", "none", "--codec", "h264", "--duration", "1", "--progress", "plain",
                folder.file("take.mov"),
            ], limit: .seconds(120), folder: folder.path)
        #expect(result.status == 1, "\(result)")
        #expect(result.errors.components(separatedBy: "Invalid argument").count == 2, "\(result)")
        #expect(folder.contents == [])
    }
}
