/// All of an activity that changes: how far it is, and what came of it. Whole in each event.
///
/// The names are those of the wire form. Times are seconds, levels decibels relative to full scale.
public struct ContentState: Sendable, Codable, Hashable {
    /// Where the work stands.
    public enum Phase: String, Sendable, Codable, CaseIterable {
        case waiting, running, paused, interrupted
        /// The work is done and the file is being completed.
        case finishing
        case finished, failed, cancelled

        /// Whether nothing can follow.
        public var isFinal: Bool { self == .finished || self == .failed || self == .cancelled }
    }

    /// What is counted.
    public enum ItemUnit: String, Sendable, Codable, CaseIterable { case files, frames, seconds }

    public var phase: Phase
    /// 0 to 1; never falls, and reaches 1 with ``Phase/finished`` only.
    @OrNull public var fraction: Double?
    public var completedItems: Int?
    public var totalItems: Int?
    public var itemUnit: ItemUnit?
    /// Such as "Exporting 47/200".
    public var subtitle: String?
    public var elapsed: Double
    @OrNull public var remaining: Double?
    /// How much of the movie is made.
    public var mediaTime: Double?
    @OrNull public var mediaDuration: Double?
    public var framesPerSecond: Double?
    /// Media time by elapsed time.
    public var speed: Double?
    public var bytesWritten: Int64?
    public var framesWritten: Int?
    public var framesDropped: Int?
    /// One level for each channel.
    @OrNull public var audioLevel: [Double]?
    public var currentItem: String?
    public var failedItems: Int?
    /// A path: a picture itself would not fit.
    public var thumbnail: String?
    public var output: String?
    /// What a person should know now.
    public var message: String?
    /// Why it ended.
    public var reason: String?
    @OrNull public var fileIsGood: Bool?
    /// How much longer the disk lasts at the present rate.
    @OrNull public var spaceFor: Double?

    public init(phase: Phase = .waiting, fraction: Double? = nil, elapsed: Double = 0) {
        self.phase = phase
        self.fraction = fraction
        self.elapsed = elapsed
    }
}
