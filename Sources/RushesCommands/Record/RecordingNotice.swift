import Foundation
import Threads

/// What was said last of a recording, for a while, for those who look from elsewhere.
final class RecordingNotice: Sendable {
    private let last = Locked<(words: String, end: Date)?>(nil)

    /// Seconds.
    private static let duration = 10.0

    var words: String? { last.withLock { $0.flatMap { $0.end > Date() ? $0.words : nil } } }

    func tell(_ words: String) { last.withLock { $0 = (words, Date().addingTimeInterval(Self.duration)) } }
}
