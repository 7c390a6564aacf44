import Foundation
import TestSupport
import Testing

/// Numbers beyond all measure are answered in words, or done as far as that goes.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct ExtremeNumberTests {
    @Test(arguments: [
        "9223372036854775807/1", "1/9223372036854775807", "-9223372036854775808/1",
        "9223372036854775807/9223372036854775806",
        "nan", "inf", "-1", "0", "1e308",
    ]) func `a rate`(rate: String) async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.finished.make("in.mp4", in: folder)
        for arguments in [
            ["transcode", "in.mp4", "--output", "out.mp4", "--rate=\(rate)"],
            ["record"] + Takes.small + ["--duration", "0.2", "--rate=\(rate)", "out.mp4"],
        ] {
            let result = try await BuiltCommand.rushes.run(arguments, limit: .seconds(120), folder: folder.path)
            #expect(result.status == 64 && result.errors.contains("--rate"), "\(result)")
            Quiet.expect(result.errors)
        }
        #expect(folder.contents == ["in.mp4"])
    }

    @Test(arguments: ["99999999999999999999999", "99999999999999999999999k", "nan", "inf", "-1", "0", "1e308", "9k.5"])
    func `a sample rate`(rate: String) async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.finished.make("in.mp4", in: folder)
        try await Refusal.expect(
            ["transcode", "in.mp4", "--output", "b.mp4", "--sample-rate=\(rate)"], status: 64,
            saying: ["--sample-rate"], in: folder)
    }

    @Test func `a size of exabytes gets the highest rate, and a sentence`() async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.finished.make("in.mp4", in: folder)
        let result = try await BuiltCommand.rushes.run(
            ["transcode", "in.mp4", "--output", "out.mp4", "--preset", "h264", "--target-size", "4294967296G"],
            limit: .seconds(120), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.contains(" is as close as the encoder gets to 4.29 EB."), "\(result)")
        try await FFmpeg.decode(folder.file("out.mp4"))
        for size in ["9223372036854775807", "-1", "0", "nan", "inf", "1e308"] {
            try await Refusal.expect(
                ["transcode", "in.mp4", "--output", "b.mp4", "--target-size=\(size)"], status: 64,
                saying: ["--target-size"], in: folder)
        }
    }
}
