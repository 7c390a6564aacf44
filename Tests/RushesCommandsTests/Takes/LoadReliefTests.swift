import Foundation
import TestSupport
import Testing

/// What a recording does whose encoder does not keep up.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "cc", package: "gcc libc6-dev")) struct LoadReliefTests {
    private static let words = "To relieve the encoders, only every second frame is recorded until they have caught up."

    private static let rate = 8

    @Test func `frames are left out evenly before any is dropped, and all are recorded again after that`() async throws
    {
        let (folder, state) = (try TemporaryFolder(), try TemporaryFolder())
        let journal = ["XDG_STATE_HOME": state.path]
        // Six frames and a half a second, of eight; of four it has time to spare, also where other tests take the cores.
        let slow = ["LD_PRELOAD": try await PreloadedLibrary.build("slow-encoder", in: state), "SLOW_ENCODER": "150"]
        let take = try BuiltCommand.rushes.start(
            ["record", "--camera", "test:pattern=ball,size=320x240,rate=\(Self.rate)", "--microphone", "test"]
                + ["--progress", "none", "--json", "--codec", "h264", "take.mov"],
            environment: journal.merging(slow) { $1 }, folder: folder.path)
        func control(_ event: Event, _ wish: String) async throws {
            let result = try await BuiltCommand.rushes.run(["control", event.id, wish], environment: journal)
            #expect(result.status == 0, "\(result)")
        }
        var (messages, dropped): ([String], Int) = ([], 0)
        var relieved: (from: Double, to: Double)?
        var (hasCaughtUp, isResumed, isOver) = (false, false, false)
        for await line in take.lines {
            let event = try Event(line)
            let time = event.state.mediaTime ?? 0
            if let message = event.state.message, messages.last != message {
                messages.append(message)
                if message == Self.words { relieved = (time, .infinity) }
                // In the pause, or before it where that came late.
                if message.contains("all frames") {
                    hasCaughtUp = true
                    if let to = relieved?.to { relieved?.to = min(to, time) }
                }
            }
            dropped = event.state.framesDropped ?? dropped
            // The wish for it may come late.
            if event.state.phase == "paused", !hasCaughtUp { relieved?.to = time }
            if event.state.phase == "paused", hasCaughtUp, !isResumed {
                isResumed = true
                try await control(event, "resume")
            }
            guard let begin = relieved?.from, event.state.phase == "running" else { continue }
            if relieved?.to == .infinity, time > begin + 2 {
                relieved?.to = time
                try await control(event, "pause")
            }
            if !isOver, hasCaughtUp, time > (relieved?.to ?? time) + 2 {
                isOver = true
                try await control(event, "stop")
            }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0 && messages.filter { $0 == Self.words }.count == 1, "\(result)")
        #expect(!messages.contains { $0.contains("frames are dropped") }, "\(messages)")
        let times = try await FFProbe.packets("v:0", of: folder.file("take.mov")).compactMap(\.ptsTime?.value).sorted()
        let (begin, end) = try #require(relieved)
        func share(of distance: Int, _ range: Range<Double>) -> Double {
            let inside = times.filter { range.contains($0) }
            let steps = zip(inside, inside.dropFirst()).map { Int((($1 - $0) * Double(Self.rate)).rounded()) }
            return Double(steps.count { $0 == distance }) / Double(max(1, steps.count))
        }
        #expect(share(of: 1, 0..<begin - 0.5) > 0.9 && share(of: 2, begin + 0.5..<end - 0.1) > 0.9, "\(times)")
        #expect(share(of: 1, end + 0.2..<end + 9) > 0.9, "\(times)")
        let all = Int(((times.last ?? 0) * Double(Self.rate)).rounded()) + 1
        #expect(abs(all - times.count - dropped) <= 3, "\(times.count) of \(all), \(dropped) counted as dropped")
    }
}
