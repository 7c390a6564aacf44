/// Which signals are wishes of their own to stop, and which belong to the one before. Pure.
///
/// A terminal that is closed sends SIGHUP twice within milliseconds, once through the shell, and the end of a session SIGTERM and SIGHUP: those
/// are one wish. So are two SIGINT at once: timeout sends it to the process and to its group, and wrappers pass on what a terminal has sent to
/// all.
struct StopSignalFilter {
    enum Signal { case interrupt, terminate, hangUp }

    private var count = 0
    private var last: ContinuousClock.Instant?

    /// Nobody presses Ctrl-C again so soon.
    static let doubled = Duration.milliseconds(300)
    /// As long as a session takes to send all that it sends at its end.
    static let session = Duration.seconds(1)

    /// - Returns: which wish it is, from 1; `nil` where it belongs to the one before.
    mutating func take(_ signal: Signal, at now: ContinuousClock.Instant) -> Int? {
        if let last {
            let age = now - last
            let isAnother = signal == .interrupt ? age >= Self.doubled : signal == .terminate && age >= Self.session
            guard isAnother else { return nil }
        }
        (count, last) = (count + 1, now)
        return count
    }
}
