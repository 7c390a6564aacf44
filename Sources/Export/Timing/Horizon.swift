import GStreamer

/// How far ahead a time can be before it is taken for damage: a single wrong one must not be filled up with hours of
/// silence or of one picture. Nanoseconds of the input's time.
struct Horizon: Sendable {
    /// Where the input says that it ends; `nil` where it does not say.
    var end: Nanoseconds?

    /// What is always believed: files often last a little longer than they say.
    private static let nearby: Nanoseconds = 10 * .second
    /// The longest gap of an input that does not say how long it is.
    private static let longestGap: Nanoseconds = 600 * .second

    /// Whether something can really follow at this time on what ended at the other one.
    func reaches(_ time: Nanoseconds, after last: Nanoseconds) -> Bool {
        time <= last || time - last <= Self.nearby || time <= end ?? (last + Self.longestGap)
    }
}
