import Foundation
import TestSupport
import Testing

/// What a recording does whose encoder is too slow and has a faster speed.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "cc", package: "gcc libc6-dev")) struct EncoderSpeedTests {
    @Test func `a faster encoder takes the place of one that cannot keep up, and no frame is lost`() async throws {
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        let journal = ["XDG_STATE_HOME": state.path]
        // The first encoder takes twenty frames a second, of thirty.
        let slow = [
            "LD_PRELOAD": try await PreloadedLibrary.build("slow-encoder", in: state), "SLOW_ENCODER": "50",
            "SLOW_ENCODERS": "1",
        ]
        let camera = try NumberedFrames.camera(seconds: 60, rate: 30, in: folder)
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", camera, "--microphone", "none", "--json", "--codec", "h264",
                folder.file("take.mov"),
            ], environment: journal.merging(slow) { $1 }, folder: folder.path)
        var (messages, dropped, changed): ([String], Int, Double?) = ([], 0, nil)
        for await line in take.lines {
            let event = try Event(line)
            let time = event.state.mediaTime ?? 0
            if let message = event.state.message, messages.last != message {
                messages.append(message)
                if message.contains("works at the faster speed ultrafast") { changed = time }
            }
            dropped = event.state.framesDropped ?? dropped
            guard let begin = changed, event.state.phase == "running", time > begin + 4 else { continue }
            changed = .infinity
            let result = try await BuiltCommand.rushes.run(["control", event.id, "stop"], environment: journal)
            #expect(result.status == 0, "\(result)")
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0 && changed == .infinity && dropped == 0, "\(result) \(messages)")
        let numbers = try await NumberedFrames.numbers(in: folder.file("take.mov"))
        let first = try #require(numbers.first)
        #expect(numbers.count > 150 && numbers == Array(first..<first + numbers.count), "\(numbers)")
        try await FFmpeg.decode(folder.file("take.mov"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["numbers.raw", "take.mov"])
    }

    @Test func `an encoder that hangs ends the recording, which says so and is no success`() async throws {
        let (folder, library) = (try TemporaryFolder(), try TemporaryFolder())
        let hanging = [
            "LD_PRELOAD": try await PreloadedLibrary.build("slow-encoder", in: library), "SLOW_ENCODER": "600000",
            "SLOW_AFTER": "90",
        ]
        let result = try await BuiltCommand.rushes.run(
            ["record", "take.mov", "--camera", "test:size=320x240", "--microphone", "none", "--codec", "h264"]
                + ["--duration", "90", "--progress", "none"],
            limit: .seconds(120), environment: hanging, folder: folder.path)
        #expect(result.status == 3 && result.errors.contains("the encoder has stopped"), "\(result)")
        #expect(try await FFProbe.packets("v:0", of: folder.file("take.mov")).count >= 60)
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    /// As many cameras have; x265 holds five or six frames.
    @Test func `a source with few buffers is recorded with HEVC`() async throws {
        let folder = try TemporaryFolder()
        let socket = folder.file("socket")
        // A source that writes into the shared memory itself stands still for ever once that was full (GStreamer 1.22), as it is for a moment
        // where the recorder gets no core: so the frames are copied there.
        let source = try RunningCommand(
            "gst-launch-1.0",
            "-q videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=240,framerate=30/1 ! identity drop-allocation=true ! shmsink"
                .split(
                    separator: " "
                ).map(String.init) + ["socket-path=\(socket)", "shm-size=750000", "wait-for-connection=false"])
        // Killed, it would leave its shared memory behind.
        defer { source.signal(SIGINT) }
        while !FileManager.default.fileExists(atPath: socket) { try await Task.sleep(for: .milliseconds(20)) }
        let camera =
            "gst:shmsrc socket-path=\(socket) is-live=true do-timestamp=true ! video/x-raw,format=I420,width=320,height=240,framerate=30/1"
        let result = try await BuiltCommand.rushes.run(
            ["record", "take.mov", "--camera", camera, "--microphone", "none", "--codec", "hevc", "--duration", "3"]
                + ["--progress", "none"],
            limit: .seconds(60), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        // An encoder that kept the source's buffers would leave it six frames.
        #expect(try await FFProbe.packets("v:0", of: folder.file("take.mov")).count >= 40)
    }
}
