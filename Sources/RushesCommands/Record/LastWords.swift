import Foundation
import LiveActivity
import MovieFiles
import Rushes
import SystemPackage
import Threads

/// What is said of a take whose end a second interrupt does not wait for: where its file is, and in what state.
final class LastWords: Sendable {
    private struct State {
        /// Where the file is now; `nil` until something is recorded.
        var path: (@Sendable () -> FilePath?)?
        var activity: Activity?
        var hasEnded = false
    }

    private let state = Locked(State())
    private let journal: JournalKeeper
    private let destination: FilePath
    /// Up to which it plays: a second, or a shot.
    private let lastPart: String

    /// For a disk that does not answer.
    private static let timeout = Duration.seconds(1)

    init(_ destination: FilePath, _ journal: JournalKeeper, lastPart: String = "second") {
        (self.destination, self.journal, self.lastPart) = (destination, journal, lastPart)
    }

    func attach(path: @escaping @Sendable () -> FilePath?) { state.withLock { $0 = State(path: path) } }
    func attach(_ activity: Activity) { state.withLock { $0.activity = activity } }
    func end() { state.withLock { $0.hasEnded = true } }

    /// Tells the person and the journal. The process may end then.
    func say() async {
        let (file, activity, hasEnded) = state.withLock { ($0.path, $0.activity, $0.hasEnded) }
        // What has ended has said so.
        if !hasEnded, let file {
            // Just complete, and not told yet, it has the name that was asked for.
            let path = file() ?? destination
            let isComplete = await Self.isComplete(path)
            let words = words(path, isComplete: isComplete)
            StandardStreams.printNote("rushes: \(words)")
            if let activity {
                var state = activity.content.state
                state.phase = isComplete ? .finished : .failed
                if isComplete { state.fraction = 1 }
                (state.remaining, state.fileIsGood, state.message) = (nil, isComplete, words)
                state.reason = "a second interrupt ended it"
                activity.end(ActivityContent(state: state, staleDate: nil))
            }
        }
        await journal.finish(within: Self.timeout)
    }

    private static func isComplete(_ path: FilePath) async -> Bool {
        let isNeeded = await onOwnThread("rushes-look", orAfter: timeout, otherwise: Bool?.none) {
            try? MovieRecovery.isNeeded(path)
        }
        return isNeeded == false
    }

    private func words(_ path: FilePath, isComplete: Bool) -> String {
        if isComplete { return "\(path) is complete." }
        return "\(path) was left unfinished: it plays up to its last \(lastPart), and 'rushes recover' completes it."
    }
}
