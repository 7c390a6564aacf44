import MediaTypes

/// Decides when the next file of a recording begins. Pure: facts in, an answer out.
struct PartSchedule: Sendable {
    /// The longest part, and what the whole recording may have.
    private let duration: MediaTime?
    private let limit: MediaTime
    /// The largest part, in bytes.
    private let bytes: Int64?
    /// Where in the movie the next part is to begin.
    private var next: MediaTime?

    /// The next file is opened so long before it is wanted.
    static let lead: MediaTime = 1500 * .millisecond

    init(_ limits: RecordingLimits) {
        (duration, bytes) = (limits.maxPartDuration.map { MediaTime($0) }, limits.maxPartFileSize)
        limit = limits.maxRecordedDuration.map { MediaTime($0) } ?? .longest
        next = duration
    }

    /// Where in the movie the next part is to begin; what has passed means at once. `nil` if not yet.
    func due(movie: MediaTime, part: (begin: MediaTime, bytes: Int64)) -> MediaTime? {
        if let bytes, movie > part.begin {
            let rate = Double(part.bytes) / (movie - part.begin).seconds
            if part.bytes + Int64(rate * RecordingMonitor.underWay.seconds) >= bytes { return movie }
        }
        guard let next, next < limit, movie + Self.lead >= next else { return nil }
        return next
    }

    /// A part has begun. One that came when it was due moves the next by whole lengths, so that none drifts.
    mutating func began(at begin: MediaTime) {
        guard let duration, let wanted = next else { return }
        next = ((begin - wanted).length < duration / 2 ? wanted : begin) + duration
    }
}
