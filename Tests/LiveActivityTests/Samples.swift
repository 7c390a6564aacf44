import Foundation
import LiveActivity

/// A recording as it stands after some seconds.
func recording(after seconds: Double = 83, _ change: (inout ContentState) -> Void = { _ in }) -> ContentState {
    var state = ContentState(phase: .running, elapsed: seconds)
    state.mediaTime = seconds
    state.bytesWritten = 48_200_000
    state.framesDropped = 0
    state.audioLevel = [-18.2, -18.4]
    change(&state)
    return state
}

func event(
    _ event: ActivityEvent.Event = .update, at seconds: Double = 0, _ state: ContentState = recording(),
    attributes: ActivityAttributes? = nil, of id: String = "A1", relevance: Double? = nil
) -> ActivityEvent {
    ActivityEvent(
        sequence: 17, id: id, event: event, kind: .recording,
        timestamp: Date(timeIntervalSince1970: 1_789_000_000.123 + seconds), attributes: attributes,
        contentState: state,
        relevanceScore: relevance
    )
}
