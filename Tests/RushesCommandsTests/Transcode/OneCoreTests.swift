import Foundation
import TestSupport
import Testing

/// An export that is tied to one core, as the tasks of a cluster are.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct OneCoreTests {
    @Test func `its encoder has no threads that leave it`() async throws {
        let clips = try await Clips(["a.mp4"], duration: 1)
        func pipeline(_ tie: [String]) async throws -> String {
            let command = try BuiltCommand.rushes.path
            let words = tie + [command, "transcode", clips.folder.file("in/a.mp4")]
            return try await Tool.succeed(
                "env",
                words + ["--output", clips.folder.file("b.mp4"), "--preset", "hevc", "--reencode", "--print-pipeline"]
            ).text
        }
        #expect(try await pipeline(["taskset", "-c", "0"]).contains("pools=none"))
        let cores = ProcessInfo.processInfo.activeProcessorCount
        #expect(try await pipeline([]).contains("pools=none") == (cores == 1))
    }
}
