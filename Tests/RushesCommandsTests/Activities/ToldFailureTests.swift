import Foundation
import LiveActivity
import Testing

@testable import RushesCommands

/// What `rushes activities` tells of a batch beside its files.
struct ToldFailureTests {
    private func event(_ kind: ActivityKind, _ change: (inout ContentState) -> Void) -> ActivityEvent {
        var state = ContentState(phase: .failed)
        change(&state)
        return ActivityEvent(
            sequence: 1, id: "A1", event: .end, kind: kind, timestamp: Date(), contentState: state)
    }

    @Test func `a failure that a file's own line tells is not the batch's too`() {
        var failures = ToldFailures()
        let batch = event(.batch) { ($0.message, $0.failedItems) = ("a.mp4 is empty.", 1) }
        #expect(failures.told(batch) == batch)
        failures.note(event(.transcode) { $0.reason = "a.mp4 is empty." })
        #expect(failures.told(batch).contentState.message == nil && failures.told(batch).contentState.failedItems == 1)
        let other = event(.batch) { $0.message = "The disk is nearly full." }
        #expect(failures.told(other) == other)
    }
}
