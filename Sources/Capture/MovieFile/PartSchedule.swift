import MediaTypes

/// Decides when the next file of a recording begins. Pure: facts in, an answer out.
struct PartSchedule: Sendable {
    /// The longest part.
    private let duration: MediaTime?
    /// The largest part, in bytes.
    private let bytes: Int64?
    /// Where in the movie the next part is to begin.
    private var next: MediaTime?

    /// The next file is opened so long before it is wanted.
    static let lead: MediaTime = 1500 * .millisecond

    init(_ limits: RecordingLimits) {
        (duration, bytes) = (limits.maxPartDuration.map { MediaTime($0) }, limits.maxPartFileSize)
        next = duration
    }

    /// Frames' times are rounded: so much before the wanted time a part may begin.
    private static let rounding = 50 * MediaTime.millisecond

    /// Where in the movie the next part is to begin; what has passed means at once. `nil` if not yet.
    ///
    /// - Parameter whole: how long the movie will be, where that is known.
    func due(movie: MediaTime, of whole: MediaTime? = nil, part: (begin: MediaTime, bytes: Int64)) -> MediaTime? {
        if let bytes, movie > part.begin {
            let rate = Double(part.bytes) / (movie - part.begin).seconds
            if part.bytes + Int64(rate * RecordingMonitor.underWay.seconds) >= bytes { return movie }
        }
        guard let next, next < whole ?? .longest, movie + Self.lead >= next else { return nil }
        return next
    }

    /// A part has begun. One that came when it was due, or with the key frame after, moves the next by whole lengths, so that none drifts;
    /// one that somebody asked for before has the whole length.
    mutating func began(at begin: MediaTime) {
        guard let duration, let wanted = next else { return }
        let isDue = begin >= wanted - Self.rounding && begin < wanted + duration / 2
        next = (isDue ? wanted : begin) + duration
    }
}
