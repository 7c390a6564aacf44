import MediaTypes

/// Decides when a timelapse's camera is opened and closed: opened again where it was lost, and closed between shots where that is
/// wanted. Pure: times are running times.
struct CameraKeeper: Sendable {
    enum Phase: Sendable, Equatable {
        case open(since: MediaTime)
        /// Closed until the next shot is near.
        case standingBy
        /// Gone; when it is tried again, and how often it was.
        case lost(retryAt: MediaTime, tries: Int)
        /// Being opened; how often it was tried before.
        case opening(tries: Int)
    }

    enum Action: Sendable, Equatable {
        case open
        case close
        /// It is gone, and why; it is to be closed.
        case lose(String)
    }

    private(set) var phase: Phase
    /// How long it takes from opening the camera to a frame that can be kept; `nil`: it is never closed between shots.
    private(set) var warmUp: MediaTime?

    /// It is not closed for less than this.
    private static let shortest = 5 * MediaTime.second
    /// From the loss to the first try; each further one waits twice as long, up to the longest.
    private static let firstRetry = MediaTime.second
    private static let longestRetry = 30 * MediaTime.second

    init(openSince now: MediaTime, warmUp: MediaTime? = nil) { (phase, self.warmUp) = (.open(since: now), warmUp) }

    var isLost: Bool {
        switch phase {
        case .lost: true
        case .opening(let tries): tries > 0
        case .open, .standingBy: false
        }
    }

    /// - Parameters:
    ///   - state: of the open camera.
    ///   - untilNext: how long it is to the next shot; `nil` if none is known.
    mutating func evaluate(at now: MediaTime, state: FeedState, untilNext: MediaTime?) -> Action? {
        switch phase {
        case .open(let since):
            if case .lost(let words) = state {
                phase = .lost(retryAt: now + Self.firstRetry, tries: 1)
                return .lose(words)
            }
            guard let warmUp, now - since > warmUp, untilNext ?? .longest > warmUp + Self.shortest else { return nil }
            phase = .standingBy
            return .close
        case .standingBy:
            guard let warmUp, let untilNext, untilNext <= warmUp else { return nil }
            phase = .opening(tries: 0)
            return .open
        case .lost(let retryAt, let tries):
            guard now >= retryAt else { return nil }
            phase = .opening(tries: tries)
            return .open
        case .opening: return nil
        }
    }

    /// It is open. True if it had been lost.
    ///
    /// - Parameter duration: how long that took: it is begun with twice as early the next time, where that is longer.
    mutating func opened(at now: MediaTime, after duration: MediaTime = .zero) -> Bool {
        defer { phase = .open(since: now) }
        warmUp = warmUp.map { max($0, 2 * duration + 2 * .second) }
        return isLost
    }

    /// It could not be opened. True if it had not been lost before.
    mutating func failed(at now: MediaTime) -> Bool {
        guard case .opening(let tries) = phase else { return false }
        let delay = min(Self.longestRetry, Self.firstRetry * (1 << min(tries, 10)))
        phase = .lost(retryAt: now + delay, tries: tries + 1)
        return tries == 0
    }
}
