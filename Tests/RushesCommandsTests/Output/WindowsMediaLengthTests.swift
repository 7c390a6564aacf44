import Foundation
import TestSupport
import Testing

/// Windows Media whose header names a length of its audio packets that is not theirs, as encoders write it: fourteen seconds.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct WindowsMediaLengthTests {
    private struct Info: Decodable {
        struct Audio: Decodable { var duration: Double }
        var duration: Double
        var audio: [Audio]
    }

    private let folder: TemporaryFolder

    /// Three seconds.
    private func input() async throws -> String {
        let plain = folder.file("plain.wmv")
        let sources = "-f lavfi -i testsrc2=size=96x64:rate=10:duration=3 -f lavfi -i sine=duration=3"
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + sources.split(separator: " ").map(String.init)
                + ["-c:v", "wmv2", "-c:a", "wmav2", plain])
        let odd = try #require(
            MadeWindowsMedia.naming(averageLength: 14, ofStream: 2, in: try Data(contentsOf: URL(filePath: plain))))
        try odd.write(to: URL(filePath: folder.file("in.wmv")))
        return folder.file("in.wmv")
    }

    init() throws { folder = try TemporaryFolder() }

    @Test func `info tells how long it plays`() async throws {
        let result = try await BuiltCommand.rushes.run(["info", "--json", try await input()])
        let told = try JSONDecoder().decode(Info.self, from: result.output)
        #expect(abs(told.duration - 3) < 0.1 && abs((told.audio.first?.duration ?? 0) - 3) < 0.1, "\(told)")
    }

    @Test func `an encoded copy is said to lack nothing`() async throws {
        let output = folder.file("out.wav")
        let result = try await BuiltCommand.rushes.run(["transcode", try await input(), "--output", output])
        #expect(result.status == 0 && !result.errors.contains("before the input"), "\(result)")
        let length = try await FFProbe.inspect(output).format.duration?.value ?? 0
        #expect(abs(length - 3) < 0.1, "\(length)")
    }

    @Test func `a copy is as long`() async throws {
        let output = folder.file("out.mkv")
        let result = try await BuiltCommand.rushes.run(
            ["transcode", try await input(), "--preset", "copy", "--output", output])
        #expect(result.status == 0, "\(result)")
        let length = try await FFProbe.inspect(output).format.duration?.value ?? 0
        #expect(abs(length - 3) < 0.2, "\(length)")
    }
}
