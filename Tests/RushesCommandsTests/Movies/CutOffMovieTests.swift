import Foundation
import TestSupport
import Testing

/// Movies whose end is missing, such as broken downloads.
@Suite(.timeLimit(.minutes(25)), .turn) struct CutOffMovieTests {
    @Test func `chapters of a movie that is cut off end with what is left of it`() async throws {
        let folder = try TemporaryFolder()
        let texts =
            ";FFMETADATA1\n"
            + [0, 4, 8].map {
                "[CHAPTER]\nTIMEBASE=1/1\nSTART=\($0)\nEND=\($0 + 4)\ntitle=C\($0)\n"
            }.joined()
        try Data(texts.utf8).write(to: URL(filePath: folder.file("c.txt")))
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=12", "-f",
                "lavfi", "-i", "sine=duration=12", "-i", folder.file("c.txt"), "-map", "0", "-map", "1",
                "-map_metadata", "2", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-movflags",
                "+faststart",
                folder.file("a.mp4"),
            ])
        let whole = try Data(contentsOf: URL(filePath: folder.file("a.mp4")))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: folder.file("a.mp4")))
        let result = try await BuiltCommand.rushes.run(["recover", "a.mp4"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let report = try await FFProbe.inspect(folder.file("a.recovered.mp4"))
        let video = try #require(report.video.first?.duration?.value)
        #expect(video < 11 && abs((report.format.duration?.value ?? 0) - video) < 0.2, "\(report)")
        #expect(report.chapters?.allSatisfy { $0.startTime.value < video } == true, "\(report)")
    }

    @Test func `what is lost of files that are done is said at the end, once for all of which it is true`()
        async throws
    {
        let folder = try TemporaryFolder()
        for name in ["a.mp4", "b.mp4"] {
            _ = try await Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=4", "-c:v",
                    "libx264", "-preset", "ultrafast", "-movflags", "+faststart", folder.file(name),
                ])
            let whole = try Data(contentsOf: URL(filePath: folder.file(name)))
            try whole.prefix(whole.count * 3 / 4).write(to: URL(filePath: folder.file(name)))
        }
        let result = try await BuiltCommand.rushes.run(
            ["transcode", "a.mp4", "b.mp4", "--output-directory", "out", "--preset", "copy"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.contains("a.mp4, b.mp4: The file is cut off"), "\(result.errors)")
    }
}
