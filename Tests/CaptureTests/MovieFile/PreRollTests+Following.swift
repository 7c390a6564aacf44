import Encoding
import MediaTypes
import TestSupport
import Testing

@testable import Capture

/// Recordings that follow another one without a gap.
extension PreRollTests {
    @Test func `what follows a recording reaches back to its end, as far as that is kept`() {
        let (second, end) = (MediaTime.second, 100 * MediaTime.second)
        let preRoll = PreRoll(.seconds(1), margin: .milliseconds(600))
        let whole = 1600 * MediaTime.millisecond
        #expect(preRoll.length(before: end, after: nil) == whole && preRoll.whole == whole)
        #expect(preRoll.length(before: end + second, after: end) == whole)
        #expect(preRoll.length(before: end + 4 * second, after: end) == 4 * second)
        #expect(preRoll.kept == whole + 5 * second)
        #expect(preRoll.length(before: end + preRoll.kept, after: end) == preRoll.kept)
        #expect(preRoll.length(before: end + preRoll.kept + second, after: end) == whole)
        // Who starts it by hand knows when.
        #expect(PreRoll(.seconds(1)).kept == second)
    }

    /// As on a busy machine.
    @Test func `nothing lies between two, however late the second one's start`() async throws {
        let session = try await TestTake.session()
        let (output, limits) = (try await TestTake.output(of: session), RecordingLimits())
        let first = try await output.startRecording(
            to: TestTake.destination(folder, "first.mov"), settings: TestTake.settings, limits: limits)
        let second = try await output.prepareRecording(
            to: TestTake.destination(folder, "second.mov"), settings: TestTake.settings, limits: limits,
            preRoll: PreRoll(.milliseconds(100), margin: .milliseconds(100)))
        _ = await second.first { if case .standby = $0 { true } else { nil } }
        // Its encoders have begun before the first one ends.
        var count = 0
        for await event in first.events {
            if case .progress = event { count += 1 }
            if count == 4 { break }
        }
        await first.stop()
        let end = try #require(first.end)
        for await _ in second.events where session.now - end > 2 * MediaTime.second { break }
        second.start(after: end)
        let now = session.now
        let result = await second.stop()
        await session.stop()
        #expect(result.isPlayable && now - end > 2 * MediaTime.second, "\(result)")
        let (count:frames, end:length) = try await frames("second.mov", dropped: result.progress.droppedFrames)
        #expect(length > (now - end).seconds - 0.05 && frames > 55, "\(length), \(now - end)")
    }
}
