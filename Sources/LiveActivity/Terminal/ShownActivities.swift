import Foundation

/// What a surface shows of several activities: the latest event of each that lives, the most relevant first.
struct ShownActivities {
    struct One {
        var title: String
        var start: Date
        var event: ActivityEvent
    }
    private(set) var all: [One] = []

    mutating func take(_ event: ActivityEvent) {
        let known = all.firstIndex { $0.event.id == event.id }
        if event.event == .end {
            if let known { all.remove(at: known) }
            return
        }
        if let known {
            all[known].event = event
        } else {
            let title = TerminalText.printable(event.attributes?.title ?? event.kind.rawValue)
            all.append(One(title: title, start: event.timestamp, event: event))
        }
        all.sort { one, other in
            let (score, rival) = (one.event.relevanceScore ?? 0, other.event.relevanceScore ?? 0)
            return score == rival ? one.start < other.start : score > rival
        }
    }
}
