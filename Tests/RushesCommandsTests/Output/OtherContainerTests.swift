import Foundation
import TestSupport
import Testing

/// Files that `rushes tag` does not change are called by their names, with a way that leads to one it changes.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct OtherContainerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        ("in.mpg", "-c:v mpeg2video", "MPEG video"), ("in.m2v", "-c:v mpeg2video -f mpeg2video", "MPEG video"),
        ("in.mxf", "-c:v mpeg2video", "MXF"), ("in.rm", "-c:v rv20", "RealMedia"),
        ("in.ogv", "-c:v libtheora", "Opus and Vorbis"), ("in.au", "", "Sun audio"), ("in.w64", "", "Wave64 audio"),
        ("in.voc", "", "Creative Voice"),
    ])
    func `tag tells what a file is and what to make of it`(name: String, options: String, kind: String) async throws {
        let source =
            options.isEmpty
            ? ["-f", "lavfi", "-i", "sine=duration=0.4"]
            : ["-f", "lavfi", "-i", "testsrc2=size=176x144:duration=0.4"]
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + source + options.split(separator: " ").map(String.init) + [folder.file(name)])
        let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
        let result = try await BuiltCommand.rushes.run(["tag", folder.file(name), "--title", "Day one"])
        #expect(result.status == 1 && result.errors.contains(kind), "\(result)")
        #expect(result.errors.contains("'rushes transcode"), "\(result)")
        #expect(try Data(contentsOf: URL(filePath: folder.file(name))) == bytes)
    }
}
