import Foundation
import Rushes
import Threads

/// A recording that waits for a trigger: begins and ends it, and makes the next one ready before this one ends, which looks for its own
/// trigger from then on, so that nothing is lost between them. Does nothing for other recordings.
final class TriggeredStart: Sendable {
    let recording: Recording
    private let request: RecordingRequest
    private let session: CaptureSession
    private let movies: MovieFileOutput
    private let following: Locked<TriggeredStart?>
    private let task: Task<Void, Never>?

    init(_ recording: Recording, _ session: CaptureSession, _ movies: MovieFileOutput, _ request: RecordingRequest) {
        (self.recording, self.session, self.movies, self.request) = (recording, session, movies, request)
        let following = Locked<TriggeredStart?>(nil)
        self.following = following
        guard !request.triggers.isEmpty else {
            task = nil
            return
        }
        task = Task {
            await recording.follow(request.triggers, of: session, postRoll: request.postRoll) {
                await Self.prepare(session, movies, request, in: following)
            }
        }
    }

    private static func next(_ movies: MovieFileOutput, _ request: RecordingRequest) async throws -> Recording {
        try await movies.prepareRecording(
            to: request.destination.following(at: Date()), settings: request.settings, limits: request.limits,
            preRoll: request.keptPreRoll ?? .zero)
    }

    /// One that is there already stays.
    private static func prepare(
        _ session: CaptureSession, _ movies: MovieFileOutput, _ request: RecordingRequest,
        in following: Locked<TriggeredStart?>
    ) async {
        guard let next = try? await next(movies, request) else { return }
        let isTaken = following.withLock { following -> Bool in
            if following == nil { following = TriggeredStart(next, session, movies, request) } else { return false }
            return true
        }
        if !isTaken { await next.stop() }
    }

    /// The recording ends by itself, as at a limit: makes the next one ready before its file is complete.
    func prepareNext() async {
        guard task != nil, following.withLock({ $0 == nil }) else { return }
        await Self.prepare(session, movies, request, in: following)
    }

    /// Ends the recording; those that follow it begin no more.
    func stop() async {
        var next = following.withLock { $0 }
        while let later = next {
            later.task?.cancel()
            next = later.following.withLock { $0 }
        }
        await recording.stop()
    }

    /// The recording that waits for the next time, or has begun already.
    ///
    /// - Parameter isWanted: false where nothing more is to be recorded.
    /// - Returns: `nil` after the last one.
    /// - Throws: ``RushesError`` if there can be none.
    func next(after result: RecordingResult, isWanted: Bool) async throws -> TriggeredStart? {
        guard let task else { return nil }
        task.cancel()
        await task.value
        let next = following.withLock { $0 }
        let goesOn =
            switch result.reason {
            case .stopped, .maximumDurationReached, .maximumSizeReached:
                isWanted && (result.isPlayable || !result.hasBegun)
            default: false
            }
        if let next, goesOn || next.recording.hasBegun { return next }
        guard goesOn else {
            next?.task?.cancel()
            await next?.recording.stop()
            return nil
        }
        return TriggeredStart(try await Self.next(movies, request), session, movies, request)
    }
}
