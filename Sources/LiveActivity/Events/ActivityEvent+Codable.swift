import Foundation

extension ActivityEvent: Codable {
    private enum CodingKeys: String, CodingKey {
        case version = "v"
        case sequence = "seq"
        case id, event, kind, timestamp, attributes
        case contentState = "content-state"
        case staleDate = "stale-date"
        case relevanceScore = "relevance-score"
        case dismissalDate = "dismissal-date"
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(ActivityEvent.version, forKey: .version)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(id, forKey: .id)
        try container.encode(event, forKey: .event)
        try container.encode(kind, forKey: .kind)
        try container.encode(timestamp.unixSeconds, forKey: .timestamp)
        try container.encodeIfPresent(attributes, forKey: .attributes)
        try container.encode(contentState, forKey: .contentState)
        try container.encodeIfPresent(staleDate?.unixSeconds, forKey: .staleDate)
        try container.encodeIfPresent(relevanceScore, forKey: .relevanceScore)
        try container.encodeIfPresent(dismissalDate?.unixSeconds, forKey: .dismissalDate)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(Int.self, forKey: .version)
        guard version == ActivityEvent.version else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container, debugDescription: "version \(version) of the events is not known here")
        }
        self.init(
            sequence: try container.decode(Int.self, forKey: .sequence),
            id: try container.decode(String.self, forKey: .id),
            event: try container.decode(Event.self, forKey: .event),
            kind: try container.decode(ActivityKind.self, forKey: .kind),
            timestamp: Date(timeIntervalSince1970: try container.decode(Double.self, forKey: .timestamp)),
            attributes: try container.decodeIfPresent(ActivityAttributes.self, forKey: .attributes),
            contentState: try container.decode(ContentState.self, forKey: .contentState),
            staleDate: try container.date(forKey: .staleDate),
            relevanceScore: try container.decodeIfPresent(Double.self, forKey: .relevanceScore),
            dismissalDate: try container.date(forKey: .dismissalDate))
    }
}

extension KeyedDecodingContainer {
    func date(forKey key: Key) throws -> Date? {
        try decodeIfPresent(Double.self, forKey: key).map { Date(timeIntervalSince1970: $0) }
    }
}

extension Date {
    /// Whole milliseconds: a Date counts from another year, and the sum would show digits that were never there.
    var unixSeconds: Double {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return milliseconds.isFinite ? milliseconds / 1000 : 0
    }
}
