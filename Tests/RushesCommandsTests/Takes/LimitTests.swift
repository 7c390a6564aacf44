import Foundation
import TestSupport
import Testing

/// What ends a take by itself.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "cc", package: "gcc libc6-dev")) struct LimitTests {
    private func size(_ path: String) throws -> Int64 {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64)
    }

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

    /// The first look at the size is half a second late for all of these.
    @Test(arguments: ["take.mov", "take.mkv"])
    func `--max-size is never exceeded, however fast the movie grows`(name: String) async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            [
                "record", "--camera", "test:pattern=snow,size=1280x720,rate=30", "--microphone", "none", "--json",
                "--progress", "none", "--codec", "mjpeg", "--quality", "95", "--max-size", "3M", name,
            ], limit: .seconds(120), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let last = try #require(try Event.all(result.text).last)
        #expect(last.state.reason == "size limit reached")
        let bytes = try size(folder.file(name))
        #expect(bytes <= 3_000_000 && bytes > 1_000_000 && last.state.bytesWritten == bytes)
        // What came behind the end is not dropped.
        let frames = try await FFProbe.packets("v:0", of: folder.file(name)).count
        #expect(last.state.framesWritten == frames && frames > 0)
        try await FFmpeg.decode(folder.file(name))
    }

    @Test func `--max-size is that of all cameras' movies together`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            [
                "record", "--camera", "test:pattern=snow,size=640x360,rate=30", "--inset",
                "test:pattern=snow,size=320x240,rate=30", "--also-separate", "--microphone", "none", "--json",
                "--progress", "none", "--codec", "mjpeg", "--separate-codec", "mjpeg", "--max-size", "8M", "take.mov",
            ], limit: .seconds(120), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let movies = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".mov") }
        #expect(movies.count == 3)
        let whole = try movies.reduce(0) { try $0 + size(folder.file($1)) }
        #expect(whole <= 8_000_000 && whole > 2_000_000, "\(whole)")
        for movie in movies { try await FFmpeg.decode(folder.file(movie)) }
    }

    @Test func `--max-size counts what waits for an encoder that lies behind`() async throws {
        let (folder, library) = (try TemporaryFolder(), try TemporaryFolder())
        let result = try await BuiltCommand.rushes.run(
            [
                "record", "--camera", "test:pattern=snow,size=640x360,rate=30", "--microphone", "none", "--json",
                "--progress", "none", "--codec", "h264", "--bitrate", "20M", "--max-size", "2M", "take.mp4",
            ], limit: .seconds(180),
            environment: [
                "LD_PRELOAD": try await PreloadedLibrary.build("slow-encoder", in: library), "SLOW_ENCODER": "150",
            ], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let last = try #require(try Event.all(result.text).last)
        #expect(last.state.reason == "size limit reached")
        let bytes = try size(folder.file("take.mp4"))
        #expect(bytes <= 2_000_000 && bytes > 400_000, "\(bytes)")
        let frames = try await FFProbe.packets("v:0", of: folder.file("take.mp4")).count
        #expect(last.state.framesWritten == frames)
        try await FFmpeg.decode(folder.file("take.mp4"))
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
        #expect(!result.errors.contains("The movie could not be completed"), "\(result)")
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
