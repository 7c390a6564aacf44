import GStreamer
import Synchronization
import Threads

/// When something last came from a device, and whether that is too long ago: noted on its streaming thread, asked from any.
final class ArrivalWatch: Sendable {
    /// How long no sample may come before the device counts as lost, in nanoseconds.
    private let timeout: Atomic<Int64>
    private let last = Atomic(Pipeline.systemTime.nanoseconds)
    private let hasDelivered = Atomic(false)
    /// The last arrival after which none came in time, and when that was first noticed.
    private let silence = Locked<(arrival: MediaTime, since: MediaTime)?>(nil)

    /// A device that delivers nothing for this long is lost: PipeWire reports neither an error nor an end.
    static let stall: MediaTime = 3 * .second

    /// The same before its first sample; whoever opens the device has a shorter timeout for that.
    private static let opening: MediaTime = 10 * .second

    /// A silence counts only if it goes on for so long after it was noticed: where this process or the machine itself stood
    /// still, frames are on their way.
    private static let confirmation: MediaTime = 400 * .millisecond

    init(timeout: MediaTime) { self.timeout = Atomic(timeout.nanoseconds) }

    /// The device is being opened, or a sample has come that may be dropped before it is handed over.
    func note(_ arrival: MediaTime) { last.store(arrival.nanoseconds, ordering: .relaxed) }

    /// A sample has come, and is handed over.
    func note(_ arrival: MediaTime, _ caps: Caps) {
        note(arrival)
        if !hasDelivered.exchange(true, ordering: .relaxed) { wait(for: caps) }
    }

    /// A source that tells only as it runs how slow its frames are is given as much time as three of them take.
    private func wait(for caps: Caps) {
        guard let rate = caps.first?["framerate"]?.fractionValue, rate.doubleValue > 0 else { return }
        let timeout = MediaTime(nanoseconds: timeout.load(ordering: .relaxed))
        self.timeout.store(max(timeout, 3 * rate.frameDuration).nanoseconds, ordering: .relaxed)
    }

    /// Running, stalled, or lost as nothing has come for too long.
    var state: FeedState {
        let (now, arrival) = (Pipeline.systemTime, MediaTime(nanoseconds: last.load(ordering: .relaxed)))
        let told = MediaTime(nanoseconds: timeout.load(ordering: .relaxed))
        let timeout = hasDelivered.load(ordering: .relaxed) ? told : max(told, Self.opening)
        guard now - arrival > timeout else { return .running }
        let since = silence.withLock { silence in
            if silence?.arrival != arrival { silence = (arrival, now) }
            return silence?.since ?? now
        }
        let isLost = now - since > Self.confirmation
        return isLost ? .lost("no frame for \(timeout.quotient(dividingBy: .second)) seconds") : .stalled
    }

    /// Whether nothing has come for so long.
    func isSilent(for duration: MediaTime) -> Bool {
        Pipeline.systemTime - MediaTime(nanoseconds: last.load(ordering: .relaxed)) > duration
    }
}
