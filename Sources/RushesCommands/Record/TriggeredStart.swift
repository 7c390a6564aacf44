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
                await Self.keep(next, in: following)
            }
        }
    }

    private static func prepare(_ movies: MovieFileOutput, _ request: RecordingRequest) async throws -> Recording {
        try await movies.prepareRecording(
            to: request.destination.following(at: Date()), settings: request.settings, limits: request.limits,
            preRoll: request.keptPreRoll ?? .zero)
    }

    /// The recording ends by itself, as at a limit: makes the next one ready before its file is complete.
    func prepareNext() async {
        guard task != nil, following.withLock({ $0 == nil }) else { return }
        await Self.keep(try? await Self.prepare(movies, request), in: following)
    }

    /// One that is there already stays.
    private static func keep(_ next: Recording?, in following: Locked<Recording?>) async {
        let unused = following.withLock { following -> Recording? in
            if following != nil { return next }
            following = next
            return nil
        }
        await unused?.stop()
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
            case .stopped, .maximumDurationReached, .maximumSizeReached:
                isWanted && (result.fileIsGood || !result.hasBegun)
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
