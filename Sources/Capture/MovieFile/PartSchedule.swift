/// Decides when the next file of a recording begins. Pure: facts in, an answer out.
struct PartSchedule: Sendable {
    /// The longest part, in seconds, and what the whole recording may have.
    private let duration: Double?
    private let limit: Double
    /// The largest part, in bytes.
    private let bytes: Int64?
    /// Where in the movie the next part is to begin, in seconds.
    private var next: Double?

    /// The next file is opened so many seconds before it is wanted.
    static let lead = 1.5

    init(_ limits: RecordingLimits) {
        (duration, bytes) = (limits.maxPartDuration.map { $0 / .seconds(1) }, limits.maxPartFileSize)
        limit = limits.maxRecordedDuration.map { $0 / .seconds(1) } ?? .infinity
        next = duration
    }

    /// Where in the movie the next part is to begin, in seconds; what has passed means at once. `nil` if not yet.
    func due(movie: Double, part: (begin: Double, bytes: Int64)) -> Double? {
        if let bytes, movie > part.begin {
            let rate = Double(part.bytes) / (movie - part.begin)
            if part.bytes + Int64(rate * RecordingMonitor.underWay) >= bytes { return movie }
        }
        guard let next, next < limit, movie + Self.lead >= next else { return nil }
        return next
    }

    /// A part has begun. One that came when it was due moves the next by whole lengths, so that none drifts.
    mutating func began(at begin: Double) {
        guard let duration, let wanted = next else { return }
        next = (abs(begin - wanted) < duration / 2 ? wanted : begin) + duration
    }
}
