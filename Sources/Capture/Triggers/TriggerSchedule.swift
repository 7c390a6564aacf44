import MediaTypes

/// When a recording begins and ends that something triggers: it begins with that, and ends so long after the last time. Pure.
struct TriggerSchedule: Sendable {
    enum Action: Sendable, Equatable { case start, stop }

    /// How long it goes on after what triggered it.
    let postRoll: MediaTime
    /// Running time at which something last did; `nil` while a start is waited for.
    private var last: MediaTime?

    init(postRoll: MediaTime) { self.postRoll = postRoll }

    /// - Parameter isActive: whether there is something at this time.
    mutating func evaluate(_ isActive: Bool, at time: MediaTime) -> Action? {
        guard let last else {
            if isActive { self.last = time }
            return isActive ? .start : nil
        }
        if isActive { self.last = max(last, time) }
        guard !isActive, time - last >= postRoll else { return nil }
        self.last = nil
        return .stop
    }
}
