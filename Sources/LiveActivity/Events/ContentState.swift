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
    @OrNull public var fraction: Double?
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
    /// Until the end; `nil` while nobody knows.
    @OrNull public var remaining: Double?
    /// How much of the movie is made.
    public var mediaTime: Double?
    /// How long the movie will be; `nil` while nobody knows.
    @OrNull public var mediaDuration: Double?
    /// Frames made, by elapsed time.
    package var framesPerSecond: Double?
    /// Media time by elapsed time.
    package var speed: Double?
    /// So far.
    public var bytesWritten: Int64?
    /// So far.
    public var framesWritten: Int?
    /// Frames given up because something lay behind.
    public var framesDropped: Int?
    /// One level for each channel.
    @OrNull public var audioLevel: [Double]?
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
    @OrNull public var fileIsGood: Bool?
    /// How much longer the disk lasts at the present rate.
    @OrNull public var spaceFor: Double?

    /// - Parameter elapsed: seconds since the beginning.
    public init(phase: Phase = .waiting, fraction: Double? = nil, elapsed: Double = 0) {
        self.phase = phase
        self.fraction = fraction
        self.elapsed = elapsed
    }
}
