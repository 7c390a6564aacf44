import LiveActivity

/// Why files of batches failed. Their own activities tell it, so the batch's, which has the latest, need not tell it again.
struct ToldFailures {
    private var reasons: Set<String> = []

    /// Takes what an activity that is no batch tells.
    mutating func note(_ event: ActivityEvent) {
        guard event.kind != .batch, event.contentState.phase == .failed, let reason = event.contentState.reason else {
            return
        }
        reasons.insert(reason)
    }

    /// A batch's event without what was told; any other as it is.
    func told(_ event: ActivityEvent) -> ActivityEvent {
        guard event.kind == .batch, let message = event.contentState.message, reasons.contains(message) else {
            return event
        }
        var state = event.contentState
        state.message = nil
        return ActivityEvent(
            sequence: event.sequence, id: event.id, event: event.event, kind: event.kind, timestamp: event.timestamp,
            attributes: event.attributes, contentState: state, staleDate: event.staleDate,
            relevanceScore: event.relevanceScore, dismissalDate: event.dismissalDate)
    }
}
