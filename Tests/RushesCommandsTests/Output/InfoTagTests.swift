import Foundation
import TestSupport
import Testing

/// What `rushes info` tells of what files and their tracks say of themselves.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct InfoTagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `AIFF-C of A-law says what it is called`() async throws {
        struct Music: Decodable { var title: String?, comment: String? }
        let file = folder.file("in.aifc")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "pcm_alaw", "-metadata"]
                + ["title=Song", "-metadata", "comment=Mine", "-f", "aiff", file])
        let told = try await BuiltCommand.rushes.run(["info", "--json", file])
        let music = try JSONDecoder().decode(Music.self, from: told.output)
        #expect(music.title == "Song" && music.comment == "Mine", "\(told)")
    }

    @Test(arguments: ["mp4", "mkv"]) func `the language of video is told`(ending: String) async throws {
        struct Movie: Decodable {
            struct Video: Decodable { var language: String? }
            var video: [Video]
        }
        for (language, tag) in [("ger", "de"), ("und", nil)] {
            let file = folder.file("\(language).\(ending)")
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=10:duration=0.5", "-c:v"]
                    + ["libx264", "-metadata:s:v:0", "language=\(language)", file])
            let told = try await BuiltCommand.rushes.run(["info", "--json", file])
            #expect(try JSONDecoder().decode(Movie.self, from: told.output).video.map(\.language) == [tag], "\(told)")
        }
    }
}
