import SystemPackage
import TestSupport
import Testing

@testable import RushesCommands

/// `rushes snapshot FILE`: what its images are called, and times from the end.
@Suite(.timeLimit(.minutes(25))) struct FrameImageTests {
    @Test(arguments: [
        ("frame.jpg", 1, "frame-001.jpg"), ("a/b.c.png", 1234, "a/b.c-1234.png"), ("f%04d.jpg", 7, "f0007.jpg"),
        ("x/%d-of-many.png", 12, "x/12-of-many.png"), ("%03d.webp", 12345, "12345.webp"),
        ("100%.jpg", 1, "100%-001.jpg"),
    ]) func `several images have numbers`(name: String, number: Int, expected: String) throws {
        #expect(try SnapshotCommand.numbered(FilePath(name), number).string == expected)
    }

    @Test(.turn) func `times count from the end, and numbers stand where the name says`() async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.finished.make("film.mp4", in: folder)
        for (times, output) in [(["-0.5s", "1.5s"], "i%02d.png"), (["-60"], "first.png"), (["0"], "zero.png")] {
            let result = try await BuiltCommand.rushes.run(
                ["snapshot", "film.mp4", "--output", output] + times.flatMap { ["--at", $0] }, folder: folder.path)
            #expect(result.status == 0, "\(result)")
        }
        #expect(folder.contents == ["film.mp4", "first.png", "i01.png", "i02.png", "zero.png"])
        let images = ["i01.png", "i02.png", "first.png", "zero.png"]
        var hashes: [String] = []
        for image in images {
            hashes.append(
                try await Tool.succeed(
                    "ffmpeg", ["-nostdin", "-v", "error", "-i", folder.file(image), "-f", "md5", "-"]
                ).text)
        }
        #expect(hashes[0] == hashes[1] && hashes[2] == hashes[3] && hashes[0] != hashes[2])
    }
}
