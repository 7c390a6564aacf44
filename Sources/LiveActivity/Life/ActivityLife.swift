public import Foundation

/// The life of one activity: what may happen to it when, and what its listeners are then told. No clock, no listener.
///
/// The rules are ActivityKit's: an update makes it active, its stale date stale; an end freezes it, its dismissal date
/// takes it away; what comes after the end, or is older than what came before, is ignored.
struct ActivityLife {
    /// What a listener is told.
    enum Change: Equatable {
        case event(ActivityEvent)
        case state(ActivityState)
    }

    let id: String
    let kind: ActivityKind
    let attributes: ActivityAttributes
    private(set) var state = ActivityState.pending
    private(set) var content: ActivityContent
    /// The latest event, once it has started.
    private(set) var last: ActivityEvent?
    private(set) var startDate: Date
    private(set) var dismissalDate: Date?
    private var timestamp: Date

    /// - Parameter startDate: when it is to start; ``advance(to:)`` starts it.
    init(
        id: String, kind: ActivityKind, attributes: ActivityAttributes, content: ActivityContent, startDate: Date
    ) {
        self.id = id
        self.kind = kind
        self.attributes = attributes
        self.content = content
        self.startDate = startDate
        timestamp = .distantPast
        self.content = content.with(content.state.running(after: nil))
    }

    /// When time alone changes something next.
    var deadline: Date? {
        switch state {
        case .pending: startDate
        case .active: content.staleDate
        case .ended: dismissalDate
        case .stale, .dismissed: nil
        }
    }

    /// - Parameter date: when the content was true; `nil` for now. Older content than the last is ignored.
    mutating func update(_ new: ActivityContent, timestamp date: Date?, now: Date) -> [Change] {
        guard accepts(date) else { return [] }
        content = new.with(new.state.running(after: content.state))
        guard state != .pending else { return advance(to: now) }
        let event = record(.update, timestamp: date, now: now)
        // Content that is out of date already stays so.
        let isStale = content.staleDate.map { $0 <= now } == true
        return [.event(event)] + enter(isStale ? .stale : .active)
    }

    /// - Parameter new: the final content; one whose phase is not final has failed.
    mutating func end(
        _ new: ActivityContent, dismissal: ActivityUIDismissalPolicy, timestamp date: Date?, now: Date
    ) -> [Change] {
        guard accepts(date) else { return [] }
        var changes: [Change] = []
        if state == .pending { changes += start(at: now) }
        content = ActivityContent(
            state: new.state.final(after: content.state), staleDate: nil, relevanceScore: new.relevanceScore)
        dismissalDate = dismissal.date(end: now)
        changes.append(.event(record(.end, timestamp: date, now: now)))
        changes += enter(.ended)
        return changes + advance(to: now)
    }

    /// A person took it away. What runs stays: only an end is an end.
    mutating func dismiss() -> [Change] { state == .ended ? enter(.dismissed) : [] }

    /// What time alone has changed until now.
    mutating func advance(to now: Date) -> [Change] {
        var changes: [Change] = []
        while let deadline, deadline <= now {
            switch state {
            case .pending: changes += start(at: now)
            case .active: changes += enter(.stale)
            case .ended: changes += enter(.dismissed)
            case .stale, .dismissed: return changes
            }
        }
        return changes
    }

    private func accepts(_ date: Date?) -> Bool {
        state != .ended && state != .dismissed && date.map { $0 >= timestamp } != false
    }

    private mutating func start(at now: Date) -> [Change] {
        startDate = now
        return [.event(record(.start, timestamp: nil, now: now))] + enter(.active)
    }

    private mutating func enter(_ new: ActivityState) -> [Change] {
        guard new != state else { return [] }
        state = new
        return [.state(new)]
    }

    private mutating func record(_ kind: ActivityEvent.Event, timestamp date: Date?, now: Date) -> ActivityEvent {
        // The system's clock may be set back; the activity's time goes on. So does that of one ended before its start.
        timestamp = max(date ?? now, timestamp)
        let event = ActivityEvent(
            sequence: (last?.sequence ?? 0) + 1, id: id, event: kind, kind: self.kind, timestamp: timestamp,
            attributes: attributes, contentState: content.state, staleDate: content.staleDate,
            relevanceScore: content.relevanceScore == 0 ? nil : content.relevanceScore, dismissalDate: dismissalDate)
        last = event
        return event
    }
}

extension ActivityContent {
    fileprivate func with(_ state: ContentState) -> ActivityContent {
        ActivityContent(state: state, staleDate: staleDate, relevanceScore: relevanceScore)
    }
}

/// Where an activity stands in its life, as ActivityKit names it. What its work does is in ``ContentState/Phase``.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ActivityState: String, Sendable, Codable, CaseIterable {
    /// Asked for, with a start that lies ahead; nothing has been told of it.
    case pending
    case active
    /// Its content is out of date: nothing followed before the content's stale date.
    case stale
    /// Nothing follows; the final content is still shown.
    case ended
    /// Taken away from where it was shown.
    case dismissed
}

/// When surfaces take an ended activity away. ActivityKit's name and choices.
public enum ActivityUIDismissalPolicy: Sendable, Hashable {
    /// Four hours after the end, ActivityKit's longest: who comes back after lunch still sees the result.
    case `default`
    /// With the end.
    case immediate
    /// At that time. Unlike on a lock screen any time goes: what ended in the night may stay until the morning.
    case after(Date)

    /// - Parameter end: when the activity ended.
    func date(end: Date) -> Date {
        switch self {
        case .default: end.addingTimeInterval(4 * 3600)
        case .immediate: end
        case .after(let date): max(date, end)
        }
    }
}
