import GStreamer

/// Sorts out the times that a damaged file made up: one turned bit can put a sample hours away, where it would be waited for
/// with silence, and all that follows would be too late.
struct TimestampSanitizer: Sendable {
    /// Where the movie ends, as its file says.
    private let end: MediaTime
    private let timeout: MediaTime
    private var latest: MediaTime

    /// Where the end is known, nothing lies so far beyond it and beyond all that came before.
    private static let knownTimeout = 10 * MediaTime.second
    /// Where it is not, a frame may well be shown for minutes.
    private static let unknownTimeout = 3600 * MediaTime.second

    /// - Parameters:
    ///   - begin: the time of the movie's first sample.
    ///   - duration: of the whole movie; `nil` where its file does not say.
    init(begin: MediaTime, duration: MediaTime?) {
        end = begin + max(.zero, duration ?? .zero)
        timeout = duration == nil ? Self.unknownTimeout : Self.knownTimeout
        latest = begin
    }

    /// The time, or `nil` where it is not believed: the sample then follows the one before it.
    mutating func validated(_ time: MediaTime?) -> MediaTime? {
        guard let time else { return nil }
        guard time < end + timeout || time - latest < timeout else { return nil }
        latest = max(latest, time)
        return time
    }
}
