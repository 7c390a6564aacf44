import Foundation
import LiveActivity
import Threads

/// Long work as its events tell it, on a clock of the test's own: each call makes the next event.
final class Work: Sendable {
    let id: String
    private let kind: ActivityKind
    private let attributes: ActivityAttributes
    private let sequence = Locked(0)

    init(_ id: String = "one", title: String = "Holiday", kind: ActivityKind = .batch) {
        self.id = id
        self.kind = kind
        attributes = ActivityAttributes(title: title)
    }

    /// - Parameter seconds: since it began.
    func event(
        _ event: ActivityEvent.Event = .update, at seconds: Double = 0, _ phase: ContentState.Phase = .running,
        done: Int? = nil, _ change: (inout ContentState) -> Void = { _ in }
    ) -> ActivityEvent {
        let number = sequence.withLock { number in
            number += 1
            return number
        }
        var state = ContentState(phase: phase, elapsed: seconds)
        if let done {
            state.fraction = Double(done) / 200
            state.completedItems = done
            state.totalItems = 200
            state.itemUnit = .files
        }
        change(&state)
        return ActivityEvent(
            sequence: number, id: id, event: event, kind: kind,
            timestamp: Date(timeIntervalSince1970: 1_789_000_000 + seconds), attributes: attributes,
            contentState: state)
    }
}
