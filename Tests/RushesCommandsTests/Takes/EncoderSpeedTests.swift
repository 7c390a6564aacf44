import Foundation
import TestSupport
import Testing

/// What a recording does whose encoder is too slow and has a faster speed.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "cc", package: "gcc libc6-dev")) struct EncoderSpeedTests {
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
                if message.contains("works at the faster speed ultrafast from here on") { changed = time }
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
}
