public import Foundation

/// One thing that happened to an activity: the wire form that every surface shows and every reader parses.
///
/// Keys and rules are those of ActivityKit's push payloads.
public struct ActivityEvent: Sendable, Hashable {
    /// What happened.
    public enum Event: String, Sendable, Codable, CaseIterable { case start, update, end }

    /// The largest size of attributes and of a content state as JSON, in bytes.
    package static let byteLimit = 4096
    /// The version of the wire form.
    package static let version = 1

    /// Counts from 1 in each activity; a gap tells a listener that it lost updates.
    package let sequence: Int
    /// The activity's identifier.
    public let id: String
    /// What happened.
    public let event: Event
    /// What kind of work it is.
    public let kind: ActivityKind
    /// When it happened.
    public let timestamp: Date
    /// Present in ``Event/start`` only.
    public let attributes: ActivityAttributes?
    /// All that changes, as it was then.
    public let contentState: ContentState
    /// When this content is out of date if nothing follows: the process is stuck or dead.
    package let staleDate: Date?
    /// Which of several activities a small surface shows: the highest, then the oldest.
    package let relevanceScore: Double?
    /// When surfaces take an ended activity away.
    package let dismissalDate: Date?

    /// Attributes are kept of a start only, and the content state is shortened to ``byteLimit``.
    package init(
        sequence: Int, id: String, event: Event, kind: ActivityKind, timestamp: Date,
        attributes: ActivityAttributes? = nil, contentState: ContentState,
        staleDate: Date? = nil, relevanceScore: Double? = nil, dismissalDate: Date? = nil
    ) {
        self.sequence = sequence
        self.id = id
        self.event = event
        self.kind = kind
        self.timestamp = timestamp
        self.attributes = event == .start ? attributes : nil
        self.contentState = contentState.fitted()
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore.flatMap { $0.isFinite ? $0 : nil }
        self.dismissalDate = dismissalDate
    }
}

/// What kind of long work an activity is.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ActivityKind: String, Sendable, Codable, CaseIterable {
    case recording, timelapse, transcode, compose, batch
}
