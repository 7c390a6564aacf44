import Foundation
import LiveActivity
import Threads

/// An export as its events tell it: each call makes the next event.
final class Export: Sendable {
    let id: String
    let title: String
    let kind: ActivityKind
    private let sequence = Locked(0)
    private let attributes: ActivityAttributes

    init(
        _ id: String, title: String = "holiday.mov", kind: ActivityKind = .batch, output: String? = nil,
        parent: String? = nil
    ) {
        self.id = id
        self.title = title
        self.kind = kind
        attributes = ActivityAttributes(title: title, output: output, parent: parent)
    }

    func start(_ change: (inout ContentState) -> Void = { _ in }) -> ActivityEvent {
        event(.start, change) { $0.phase = .running }
    }

    /// `done` of 200 files.
    func update(_ done: Int, staleIn seconds: Double = 60, _ change: (inout ContentState) -> Void = { _ in })
        -> ActivityEvent
    {
        event(.update, staleIn: seconds, change) { state in
            state.phase = .running
            state.fraction = Double(done) / 200
            state.completedItems = done
        }
    }

    func end(
        _ phase: ContentState.Phase = .finished, dismissed: Date? = nil,
        _ change: (inout ContentState) -> Void = { _ in }
    )
        -> ActivityEvent
    {
        event(.end, dismissed: dismissed, change) { state in
            state.phase = phase
            state.fraction = phase == .finished ? 1 : 0.5
            state.completedItems = phase == .finished ? 200 : 100
            state.fileIsGood = phase == .finished
        }
    }

    private func event(
        _ event: ActivityEvent.Event, staleIn seconds: Double = 60, dismissed: Date? = nil,
        _ change: (inout ContentState) -> Void, _ own: (inout ContentState) -> Void
    ) -> ActivityEvent {
        let number = sequence.withLock { number in
            number += 1
            return number
        }
        var state = ContentState(elapsed: Double(number))
        state.totalItems = 200
        state.itemUnit = .files
        own(&state)
        change(&state)
        return ActivityEvent(
            sequence: number, id: id, event: event, kind: kind, timestamp: Date(), attributes: attributes,
            contentState: state, staleDate: event == .end ? nil : Date(timeIntervalSinceNow: seconds),
            dismissalDate: dismissed)
    }
}
