import MediaTypes

/// When a recording begins and ends that something triggers: it begins with that, and ends so long after the last time. Pure.
struct TriggerSchedule: Sendable {
    enum Action: Sendable, Equatable { case start, stop }

    /// How long it goes on after what triggered it.
    let postRoll: MediaTime
    /// Running time at which something last did; `nil` while a start is waited for.
    private var last: MediaTime?
    /// When a start was asked for.
    private var asked = MediaTime.zero

    /// Where a start failed, as of a disk that was gone for a moment, it is asked for again after so long.
    private static let retry = 5 * MediaTime.second

    init(postRoll: MediaTime) { self.postRoll = postRoll }

    /// - Parameters:
    ///   - isActive: whether there is something at this time.
    ///   - hasBegun: whether the recording has begun, where that was asked for.
    mutating func evaluate(_ isActive: Bool, at time: MediaTime, hasBegun: Bool) -> Action? {
        guard let last else {
            if isActive { (self.last, asked) = (time, time) }
            return isActive ? .start : nil
        }
        if isActive {
            self.last = max(last, time)
            guard !hasBegun, time - asked >= Self.retry else { return nil }
            asked = time
            return .start
        }
        guard time - last >= postRoll else { return nil }
        self.last = nil
        // What never began is to wait on.
        return hasBegun ? .stop : nil
    }
}
