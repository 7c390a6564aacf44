public import Foundation

/// What an activity shows from now on, and how long that is true.
public struct ActivityContent: Sendable, Hashable {
    /// All of the activity that changes.
    public let state: ContentState
    /// When the state is out of date if nothing follows; `nil`: never.
    public let staleDate: Date?
    /// Which of several activities a small surface shows: the highest, then the one that started first.
    public let relevanceScore: Double

    /// - Parameter staleDate: when the state is out of date if nothing follows; `nil`: never.
    public init(state: ContentState, staleDate: Date?, relevanceScore: Double = 0) {
        self.state = state
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }
}

extension ContentState {
    /// The highest fraction before the work is finished.
    static let almost = 0.999

    /// The state as an activity that goes on may show it: the fraction never falls and is not 1 yet, and what only an end may
    /// say is `finishing`.
    func running(after previous: ContentState?) -> ContentState {
        var state = self
        if state.phase.isFinal { state.phase = .finishing }
        state.fraction = Self.risen(fraction, from: previous?.fraction).map { min($0, Self.almost) }
        return state
    }

    /// The state as an end may show it: a phase that is not final has failed, and only what is finished is whole.
    func final(after previous: ContentState) -> ContentState {
        var state = self
        if !state.phase.isFinal { state.phase = .failed }
        state.remaining = nil
        let fraction = Self.risen(fraction, from: previous.fraction)
        state.fraction = state.phase == .finished ? fraction : fraction.map { min($0, Self.almost) }
        return state
    }

    private static func risen(_ new: Double?, from old: Double?) -> Double? {
        // What is not a number says nothing.
        guard let new, new.isFinite else { return old }
        return max(new, old ?? 0)
    }
}
