import Foundation
import TestSupport
import Testing

/// What ends a take by itself.
@Suite(.timeLimit(.minutes(25)), .turn) struct LimitTests {
    @Test func `--duration is kept to the frame and the sample`() async throws {
        let folder = try TemporaryFolder()
        let (file, dropped) = try await Takes.recordCounting(
            "take.mov", in: folder, ["--duration", "1.3s", "--codec", "mjpeg", "--audio", "pcm"])
        let report = try await FFProbe.inspect(file)
        #expect(report.video.first?.nbFrames?.value == Double(39 - dropped))
        #expect(try await FFmpeg.audio(of: file, rate: 48000).count == 62400)
        #expect(abs((report.format.duration?.value ?? 0) - 1.3) < 0.001)
    }

    @Test func `--duration without a frame is kept to the sample`() async throws {
        let folder = try TemporaryFolder()
        let file = try await Takes.record(
            "voice.mkv", in: folder, ["--duration", "00:00:01.25", "--audio", "flac"],
            sources: ["--camera", "none", "--microphone", "test", "--progress", "none"])
        #expect(try await FFProbe.inspect(file).video.isEmpty)
        #expect(try await FFmpeg.audio(of: file, rate: 48000).count == 60000)
    }

    @Test func `--max-size ends the take with a complete file that is no larger`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + [
                "--json", "--codec", "mjpeg", "--audio", "pcm", "--max-size", "1.5M", "take.mov",
            ],
            limit: .seconds(120), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let last = try #require(try Event.all(result.text).last)
        #expect(last.state.reason == "size limit reached")
        #expect(last.state.bytesWritten ?? 0 <= 1_500_000)
        #expect(last.state.bytesWritten ?? 0 > 700_000)
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    @Test func `a disk that fills ends the take before it is full, and the file is complete`() async throws {
        let folder = try TemporaryFolder()
        let result = try await SmallDisk.run(
            [
                "record", "--camera", "test:pattern=snow,size=640x360", "--microphone", "test", "--json", "--codec",
                "mjpeg",
                "--quality", "90", "--audio", "pcm", "--min-free", "6M", "take.mov",
            ], size: "16M", in: folder)
        #expect(result.status == 0, "\(result)")
        let last = try #require(try Event.all(result.text).last)
        #expect(last.state.reason == "disk nearly full")
        #expect(last.state.fileIsGood == true)
        try await FFmpeg.decode(SmallDisk.left("take.mov", in: folder))
    }

    @Test(arguments: ["take.mov", "take.mp4", "take.mkv"])
    func `a disk that is full at once ends the take with a complete movie, and says so`(file: String) async throws {
        let folder = try TemporaryFolder()
        // Another program takes all that is left in one go, so that not a byte is there for the index.
        let result = try await SmallDisk.run(
            [
                "record", "--camera", "test:pattern=snow,size=640x360", "--microphone", "test", "--json", "--codec",
                "h264", "--bitrate", "20M", "--min-free", "0", file,
            ], size: "60M",
            meanwhile:
                #"until [ "$(stat -c %s take.* | head -n 1)" -gt 2000000 ]; do sleep 0.02; done; cat /dev/zero >all"#,
            in: folder)
        let last = try #require(try Event.all(result.text).last)
        #expect(last.state.fileIsGood == true, "\(result)")
        #expect(last.state.reason == "writing failed: the disk is full" && result.status == 3, "\(result)")
        #expect(!result.errors.contains("The index could not be written"), "\(result)")
        #expect(!result.errors.contains(".."), "\(result)")
        Quiet.expect(result.errors)
        let info = try await BuiltCommand.rushes.run(["info", "--json", SmallDisk.left(file, in: folder)])
        #expect(
            info.text.contains(#""complete":true"#) && info.text.contains(#""fragmented":false"#), "\(info)")
        let judged = try await Tool.run(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", SmallDisk.left(file, in: folder), "-f", "null", "-"])
        #expect(judged.status == 0, "\(judged)")
        let packets = try await FFProbe.packets("v:0", of: SmallDisk.left(file, in: folder))
        #expect(packets.count > 15)
    }
}
