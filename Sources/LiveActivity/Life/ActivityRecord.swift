public import Foundation

/// An activity as the journal knows it: what it is about and the last thing that happened to it.
public struct ActivityRecord: Sendable, Hashable, Identifiable {
    /// What it is about.
    public let attributes: ActivityAttributes
    /// The latest event that was written down; of a live activity at most a few seconds old.
    public let last: ActivityEvent
    /// When it started.
    package let startDate: Date
    /// What may be asked of it now.
    public let controls: Set<ActivityControl>

    /// The activity's identifier.
    public var id: String { last.id }

    init(
        attributes: ActivityAttributes, last: ActivityEvent, startDate: Date, controls: Set<ActivityControl> = []
    ) {
        self.attributes = attributes
        self.last = last
        self.startDate = startDate
        self.controls = last.event == .end ? [] : controls
    }

    /// Where it stands at a time: stale once its stale date has passed, dismissed once its dismissal date has.
    public func state(at date: Date = Date()) -> ActivityState {
        guard last.event == .end else { return last.staleDate.map { $0 <= date } == true ? .stale : .active }
        return last.dismissalDate.map { $0 <= date } == true ? .dismissed : .ended
    }

    /// What a listener that comes late is told: a start, with what it shows now, and the latest event.
    ///
    /// The start has the sequence number 1, as it always had, so the gap tells of the updates in between.
    package var replay: [ActivityEvent] {
        guard last.event != .start else { return [last] }
        let start = ActivityEvent(
            sequence: 1, id: last.id, event: .start, kind: last.kind, timestamp: startDate, attributes: attributes,
            contentState: last.contentState, staleDate: last.staleDate, relevanceScore: last.relevanceScore)
        return [start, last]
    }
}

/// The last event's own form with the attributes, whatever the event: a line of the history and of `rushes activities`.
extension ActivityRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case attributes, controls
        case startDate = "start-date"
    }

    public func encode(to encoder: any Encoder) throws {
        try last.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(attributes, forKey: .attributes)
        try container.encode(startDate.unixSeconds, forKey: .startDate)
        try container.encode(controls.map(\.rawValue).sorted(), forKey: .controls)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let last = try ActivityEvent(from: decoder)
        // A newer version's requests are not known here.
        let controls = try container.decodeIfPresent([String].self, forKey: .controls) ?? []
        self.init(
            attributes: try container.decode(ActivityAttributes.self, forKey: .attributes), last: last,
            startDate: try container.date(forKey: .startDate) ?? last.timestamp,
            controls: Set(controls.compactMap(ActivityControl.init)))
    }

    /// One line of JSON, with the line break.
    package var line: Data { (Wire.encode(self) ?? Data()) + [UInt8(ascii: "\n")] }
}
