import Foundation
import TestSupport
import Testing

/// Program streams of which one stream begins some seconds behind the other, as editors write them: the export had the other one alone, and no line
/// said so.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct LateProgramStreamTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func export(_ name: String, _ options: String) async throws -> (told: FFProbe.Report, made: FFProbe.Report)
    {
        let (input, output) = (folder.file(name), folder.file("out.mp4"))
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error"] + options.split(separator: " ").map(String.init) + [input])
        let result = try await BuiltCommand.rushes.run(["transcode", input, "--output", output, "--preset", "h264"])
        #expect(result.status == 0, "\(result)")
        let decoded = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-i", output, "-map", "0:a", "-af", "volumedetect", "-f", "null", "-"])
        // A sine is no silence.
        let volume = try #require(decoded.errors.firstMatch(of: /max_volume: (-?[0-9.]+) dB/).flatMap { Double($0.1) })
        #expect(volume > -40)
        return (try await FFProbe.inspect(input), try await FFProbe.inspect(output))
    }

    /// How long the audio goes on behind the beginning of the video, in seconds.
    private func end(_ report: FFProbe.Report) throws -> Double {
        let (video, audio) = (try #require(report.video.first), try #require(report.audio.first))
        return (audio.startTime?.value ?? 0) + (audio.duration?.value ?? 0) - (video.startTime?.value ?? 0)
    }

    @Test func `audio that begins four seconds late is in an export`() async throws {
        let sources = "-itsoffset 4 -f lavfi -i sine=duration=2 -f lavfi -i testsrc2=size=96x64:rate=25:duration=6"
        let (told, made) = try await export("in.mpg", "\(sources) -c:v mpeg2video -c:a ac3 -f vob")
        #expect(made.video.first?.nbFrames?.value == 150)
        #expect(abs(try end(told) - end(made)) < 0.15, "\(made)")
    }

    @Test func `video that begins behind all audio is in an export`() async throws {
        let sources = "-f lavfi -i sine=duration=4 -itsoffset 5 -f lavfi -i testsrc2=size=96x64:rate=25:duration=2"
        let (told, made) = try await export(
            "in.mpg", "\(sources) -vsync passthrough -c:v mpeg1video -c:a mp2 -f mpeg")
        #expect(made.video.first?.nbFrames?.value == 50)
        #expect(abs(try end(told) - end(made)) < 0.15, "\(made)")
    }
}
