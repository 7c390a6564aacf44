import Threads

/// What an export has to tell at its end, and what it does without as that has failed.
final class ExportLog: Sendable {
    private struct State {
        var notes: [String] = []
        var reasons = RetryReasons()
    }

    private let state = Locked(State())

    /// Sentences for people: first what failed, then in the order in which they were added.
    var notes: [String] { state.withLock { $0.reasons.notes + $0.notes } }
    var retryReasons: RetryReasons { state.withLock { $0.reasons } }

    func note(_ sentence: String) { state.withLock { $0.notes.append(sentence) } }

    /// - Returns: whether this is new, so that it is worth beginning again.
    func insert(_ reason: RetryReason) -> Bool { state.withLock { $0.reasons.insert(reason) } }
}
