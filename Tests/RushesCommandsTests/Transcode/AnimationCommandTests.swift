import Foundation
import TestSupport
import Testing

/// Commands whose output is a GIF.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct AnimationCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeClip() async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1"]
                + ["-c:v", "libvpx", folder.file("in.webm")])
    }

    @Test(arguments: [
        "transcode in.webm --output out.GIF", "compose out.GIF --main in.webm --inset in.webm",
        "timelapse out.GIF --from-video in.webm --speed 2x --rate 20",
    ]) func `its name alone chooses it`(command: String) async throws {
        try await makeClip()
        let result = try await BuiltCommand.rushes.run(
            Tool.words(command) + ["--progress", "none"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let frames = try await FFProbe.packets("v:0", of: folder.file("out.GIF"))
        #expect(try Data(contentsOf: URL(filePath: folder.file("out.GIF"))).starts(with: "GIF89a".utf8))
        #expect(frames.count == 10, "\(frames)")
    }

    @Test func `a folder of movies becomes one of GIFs, and info reads them`() async throws {
        try await makeClip()
        let result = try await BuiltCommand.rushes.run(
            ["transcode", "in.webm", "--output-directory", "out", "--preset", "gif"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let info = try await BuiltCommand.rushes.run(["info", "out/in.gif"], folder: folder.path)
        #expect(info.text.contains("gif, 64×48, 10 frames at 10"), "\(info)")
    }

    @Test func `a recording is refused, with what to do`() async throws {
        try await Refusal.expect(
            ["record", "take.gif", "--camera", "test", "--microphone", "none"], status: 64,
            saying: ["GIFs are made of movies", "record a .mov, .mp4 or .mkv"], in: folder)
    }
}
