/// What a follower has been told, so that it hears everything once although files and sockets both tell it.
struct FollowLedger {
    private struct Told {
        var sequence: Int
        var hasEnded = false
    }
    private var told: [String: Told] = [:]

    func knows(_ id: String) -> Bool { told[id] != nil }

    /// The event as the follower is to hear it; `nil` if it has heard it or something later.
    mutating func admit(_ event: ActivityEvent) -> ActivityEvent? {
        guard let known = told[event.id] else {
            // Only a start begins; it is sent, or made from the journal, before anything else.
            guard event.event == .start else { return nil }
            told[event.id] = Told(sequence: event.sequence)
            return event
        }
        guard !known.hasEnded, event.event != .start else { return nil }
        if event.event == .end {
            told[event.id]?.hasEnded = true
            forgetEnded()
            return event.numbered(max(event.sequence, known.sequence + 1))
        }
        guard event.sequence > known.sequence else { return nil }
        told[event.id]?.sequence = event.sequence
        return event
    }

    /// A server follows for months; the latest ends are enough.
    private mutating func forgetEnded() {
        guard told.count > 20_000 else { return }
        told = told.filter { !$0.value.hasEnded }
    }
}

extension ActivityEvent {
    /// The end of an orphan is numbered by what the journal knew, and a follower may have heard more.
    fileprivate func numbered(_ sequence: Int) -> ActivityEvent {
        ActivityEvent(
            sequence: sequence, id: id, event: event, kind: kind, timestamp: timestamp, attributes: attributes,
            contentState: contentState, staleDate: staleDate, relevanceScore: relevanceScore,
            dismissalDate: dismissalDate)
    }
}
