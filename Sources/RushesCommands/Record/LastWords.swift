import Foundation
import LiveActivity
import MovieFiles
import Rushes
import SystemPackage
import Threads

/// What is said of a take whose end a second interrupt does not wait for: where its file is, and in what state.
final class LastWords: Sendable {
    private struct State {
        var recording: Recording?
        var activity: Activity?
        var result: RecordingResult?
    }

    private let state = Locked(State())
    private let journal: JournalKeeper
    private let destination: FilePath

    /// Seconds, for a disk that does not answer.
    private static let timeout = 1.0

    init(_ destination: FilePath, _ journal: JournalKeeper) {
        (self.destination, self.journal) = (destination, journal)
    }

    func attach(_ recording: Recording) { state.withLock { $0 = State(recording: recording) } }
    func attach(_ activity: Activity) { state.withLock { $0.activity = activity } }
    func end(with result: RecordingResult) { state.withLock { $0.result = result } }

    /// Tells the person and the journal. The process may end then.
    func say() async {
        let (recording, activity, result) = state.withLock { ($0.recording, $0.activity, $0.result) }
        // What has ended has said so.
        if result == nil, let recording {
            // Just complete, and not told yet, it has the name that was asked for.
            let path = recording.path ?? destination
            let isComplete = await Self.isComplete(path)
            let words = Self.words(path, isComplete: isComplete)
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
        await journal.finish(within: .seconds(Self.timeout))
    }

    private static func isComplete(_ path: FilePath) async -> Bool {
        let isNeeded = await onOwnThread("rushes-look", orAfter: timeout, otherwise: Bool?.none) {
            try? MovieRecovery.isNeeded(path)
        }
        return isNeeded == false
    }

    private static func words(_ path: FilePath, isComplete: Bool) -> String {
        if isComplete { return "\(path) is complete." }
        return "\(path) was left unfinished: it plays up to its last second, and 'rushes recover' completes it."
    }
}
