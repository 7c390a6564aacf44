import Foundation
import Rushes
import Threads

/// Begins and ends a recording that waits for a trigger, and makes the next one ready before this one ends, so that nothing is lost between
/// them. Does nothing for other recordings.
final class TriggeredStart: Sendable {
    private let request: RecordingRequest
    private let movies: MovieFileOutput
    private let following = Locked<Recording?>(nil)
    private let task: Task<Void, Never>?

    init(_ recording: Recording, _ session: CaptureSession, _ movies: MovieFileOutput, _ request: RecordingRequest) {
        (self.request, self.movies) = (request, movies)
        guard !request.triggers.isEmpty else {
            task = nil
            return
        }
        task = Task { [following] in
            await recording.follow(request.triggers, of: session, postRoll: request.postRoll) {
                let next = try? await Self.prepare(movies, request)
                following.withLock { $0 = next }
            }
        }
    }

    private static func prepare(_ movies: MovieFileOutput, _ request: RecordingRequest) async throws -> Recording {
        try await movies.prepareRecording(
            to: request.destination.following(at: Date()), settings: request.settings, limits: request.limits,
            preRoll: request.keptPreRoll ?? .zero)
    }

    /// The recording that waits for the next time.
    ///
    /// - Parameter isWanted: false where nothing more is to be recorded.
    /// - Returns: `nil` after the last one.
    /// - Throws: ``RushesError`` if there can be none.
    func next(after result: RecordingResult, isWanted: Bool) async throws -> Recording? {
        guard let task else { return nil }
        task.cancel()
        await task.value
        let next = following.withLock { $0 }
        let goesOn =
            switch result.reason {
            case .stopped, .maximumDurationReached, .maximumSizeReached: isWanted && result.fileIsGood
            default: false
            }
        guard goesOn else {
            await next?.stop()
            return nil
        }
        if let next { return next }
        return try await Self.prepare(movies, request)
    }
}
