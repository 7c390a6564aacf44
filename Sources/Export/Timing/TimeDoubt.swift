import GStreamer

/// Sorts out the times that a damaged file made up: one turned bit can put a sample hours away, where it would be waited for
/// with silence, and all that follows would be too late. Nanoseconds.
struct TimeDoubt: Sendable {
    /// Where the movie ends, as its file says.
    private let end: Nanoseconds
    private let patience: Nanoseconds
    private var latest: Nanoseconds

    /// Where the end is known, nothing lies so far beyond it and beyond all that came before.
    private static let knownPatience = 10 * Nanoseconds.second
    /// Where it is not, a picture may well be shown for minutes.
    private static let unknownPatience = 3600 * Nanoseconds.second

    /// - Parameters:
    ///   - begin: the time of the movie's first sample.
    ///   - duration: of the whole movie; `nil` where its file does not say.
    init(begin: Nanoseconds, duration: Nanoseconds?) {
        end = begin + max(0, duration ?? 0)
        patience = duration == nil ? Self.unknownPatience : Self.knownPatience
        latest = begin
    }

    /// The time, or `nil` where it is not believed: the sample then follows the one before it.
    mutating func believed(_ time: Nanoseconds?) -> Nanoseconds? {
        guard let time else { return nil }
        guard time < end + patience || time - latest < patience else { return nil }
        latest = max(latest, time)
        return time
    }
}
