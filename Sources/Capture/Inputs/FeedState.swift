/// What a session's feed does: one device's frames or audio, on the session's clock.
enum FeedState: Sendable, Equatable {
    /// What the device delivers comes.
    case running
    /// Nothing comes just now, and may again.
    case stalled
    /// Nothing comes any more; why, in a few words. One of several cameras may be found again, and then runs.
    case lost(String)
    /// The session has closed it.
    case ended

    /// Whether nothing will come any more.
    var isOver: Bool {
        switch self {
        case .running, .stalled: false
        case .lost, .ended: true
        }
    }
}
