/// All of an activity that changes: how far it is, and what came of it. Whole in each event.
///
/// The names are those of the wire form. Times are seconds, levels decibels relative to full scale.
public struct ContentState: Sendable, Codable, Hashable {
    /// Where the work stands.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Phase: String, Sendable, Codable, CaseIterable {
        case waiting, running, paused, interrupted
        /// The work is done and the file is being completed.
        case finishing
        case finished, failed, cancelled

        /// Whether nothing can follow.
        public var isFinal: Bool { self == .finished || self == .failed || self == .cancelled }
    }

    /// What is counted.
    package enum ItemUnit: String, Sendable, Codable, CaseIterable { case files, frames, seconds }

    /// Where the work stands.
    public var phase: Phase
    /// 0 to 1; never falls, and reaches 1 with ``Phase/finished`` only.
    public var fraction: Double?
    /// Of ``totalItems``; those that failed count too.
    public var completedItems: Int?
    /// How many there are.
    public var totalItems: Int?
    /// What is counted.
    package var itemUnit: ItemUnit?
    /// Such as "Exporting 47/200".
    public var subtitle: String?
    /// Since the beginning.
    public var elapsed: Double
    /// Until the end; `nil` while that is unknown.
    public var remaining: Double?
    /// How much of the movie is made.
    public var mediaTime: Double?
    /// How long the movie will be; `nil` while that is unknown.
    public var mediaDuration: Double?
    /// Frames made, by elapsed time.
    package var framesPerSecond: Double?
    /// Media time by elapsed time.
    package var speed: Double?
    /// So far.
    public var bytesWritten: Int64?
    /// So far.
    public var framesWritten: Int?
    /// Frames that were dropped because something was too slow.
    public var framesDropped: Int?
    /// One level for each channel.
    public var audioLevel: [Double]?
    /// How loud each of several microphones is; `nil` of one, which ``audioLevel`` tells.
    package var microphones: [MicrophoneLevel]?
    /// Whether silence is recorded of all microphones; `nil` where that is not told.
    package var muted: Bool?
    /// The name of what is worked on.
    public var currentItem: String?
    /// Of ``completedItems``, those that failed.
    public var failedItems: Int?
    /// A path: a frame itself would not fit.
    public var thumbnail: String?
    /// The path of what is made.
    public var output: String?
    /// What a person should know now.
    public var message: String?
    /// Why it ended.
    public var reason: String?
    /// Whether the file is whole and plays; `nil` before the end.
    public var fileIsGood: Bool?
    /// How much longer the disk's free space lasts at the present rate.
    public var spaceFor: Double?

    /// - Parameter elapsed: seconds since the beginning.
    public init(phase: Phase = .waiting, fraction: Double? = nil, elapsed: Double = 0) {
        self.phase = phase
        self.fraction = fraction
        self.elapsed = elapsed
    }
}

extension ContentState {
    /// Its JSON. What a reader of the events always looks for is `null` where it is not known; other keys are left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(phase, forKey: .phase)
        try container.encode(fraction, forKey: .fraction)
        try container.encodeIfPresent(completedItems, forKey: .completedItems)
        try container.encodeIfPresent(totalItems, forKey: .totalItems)
        try container.encodeIfPresent(itemUnit, forKey: .itemUnit)
        try container.encodeIfPresent(subtitle, forKey: .subtitle)
        try container.encode(elapsed, forKey: .elapsed)
        try container.encode(remaining, forKey: .remaining)
        try container.encodeIfPresent(mediaTime, forKey: .mediaTime)
        try container.encode(mediaDuration, forKey: .mediaDuration)
        try container.encodeIfPresent(framesPerSecond, forKey: .framesPerSecond)
        try container.encodeIfPresent(speed, forKey: .speed)
        try container.encodeIfPresent(bytesWritten, forKey: .bytesWritten)
        try container.encodeIfPresent(framesWritten, forKey: .framesWritten)
        try container.encodeIfPresent(framesDropped, forKey: .framesDropped)
        try container.encode(audioLevel, forKey: .audioLevel)
        try container.encodeIfPresent(microphones, forKey: .microphones)
        try container.encodeIfPresent(muted, forKey: .muted)
        try container.encodeIfPresent(currentItem, forKey: .currentItem)
        try container.encodeIfPresent(failedItems, forKey: .failedItems)
        try container.encodeIfPresent(thumbnail, forKey: .thumbnail)
        try container.encodeIfPresent(output, forKey: .output)
        try container.encodeIfPresent(message, forKey: .message)
        try container.encodeIfPresent(reason, forKey: .reason)
        try container.encode(fileIsGood, forKey: .fileIsGood)
        try container.encode(spaceFor, forKey: .spaceFor)
    }
}
