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
