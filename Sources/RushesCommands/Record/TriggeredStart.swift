import Foundation
import MediaTypes
import Rushes
import Synchronization
import Threads

/// A recording that waits for a trigger: begins and ends it, and makes the next one ready before this one ends, which looks for its own
/// trigger from then on, so that nothing is lost between them. Does nothing for other recordings.
final class TriggeredStart: Sendable {
    let recording: Recording
    private let request: RecordingRequest
    private let following: FollowingStart
    private let task: Task<Void, Never>?

    convenience init(
        _ recording: Recording, _ session: CaptureSession, _ movies: MovieFileOutput, _ request: RecordingRequest
    ) {
        self.init(recording, FollowingStart(recording, session, movies, request), after: nil, Signal(true))
    }

    /// - Parameters:
    ///   - preceding: the recording that this one follows.
    ///   - isReady: whether it may begin already.
    fileprivate init(
        _ recording: Recording, _ following: FollowingStart, after preceding: Recording?, _ isReady: Signal
    ) {
        (self.recording, self.following, request) = (recording, following, following.request)
        let request = request
        guard !request.triggers.isEmpty else {
            task = nil
            return
        }
        task = Task {
            await recording.follow(
                request.triggers, of: following.session, postRoll: request.postRoll, after: preceding,
                isReady: { isReady.isSet }
            ) {
                await following.prepare(isReady: true)
            }
        }
    }

    /// The recording ends by itself soon, as at a limit: makes the next one ready, whose encoders keep what comes from then on. It begins
    /// no sooner than this one ends.
    func prepareNext(before progress: RecordingProgress) {
        guard task != nil, isEndNear(progress) else { return }
        Task { await following.prepare(isReady: false) }
    }

    /// The recording ends.
    func prepareNext() async { if task != nil { await following.prepare(isReady: true) } }

    private func isEndNear(_ progress: RecordingProgress) -> Bool {
        let left = progress.wholeDuration.map { $0 - progress.duration } ?? .longest
        guard left >= Self.lead, progress.duration > .zero, let limit = request.limits.maxRecordedFileSize else {
            return left < Self.lead
        }
        // What is on its way to the file counts when it is ended, and is about a second.
        let coming = Double(progress.bytes) * ((Self.lead + .second) / progress.duration)
        return progress.bytes + Int64(coming) >= limit
    }

    /// More than it takes to make a recording ready on a busy machine.
    private static let lead = 3 * MediaTime.second

    /// Ends the recording; those that follow it begin no more.
    func stop() async {
        var next = following.start
        while let later = next {
            later.task?.cancel()
            next = later.following.start
        }
        await recording.stop()
    }

    /// Lets the next one go, once somebody else stops it: thousands may follow each other, and each would keep those behind it.
    func letNextGo() { following.letGo() }

    /// The recording that waits for the next time, or has begun already.
    ///
    /// - Parameter isWanted: false where nothing more is to be recorded.
    /// - Returns: `nil` after the last one.
    /// - Throws: ``RushesError`` if there can be none.
    func next(after result: RecordingResult, isWanted: Bool) async throws -> TriggeredStart? {
        guard let task else { return nil }
        task.cancel()
        await task.value
        let next = await following.prepared
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
        return try await following.make(isReady: true)
    }
}

/// The recording that follows one that a trigger began.
private final class FollowingStart: Sendable {
    private let preceding: Recording
    let session: CaptureSession
    let request: RecordingRequest
    private let movies: MovieFileOutput
    private let isReady = Signal(false)
    private let preparing = Locked<Task<TriggeredStart?, Never>?>(nil)
    private let made = Locked<TriggeredStart?>(nil)

    init(
        _ preceding: Recording, _ session: CaptureSession, _ movies: MovieFileOutput, _ request: RecordingRequest
    ) {
        (self.preceding, self.session, self.movies, self.request) = (preceding, session, movies, request)
    }

    /// As far as it is there.
    var start: TriggeredStart? { made.withLock { $0 } }

    func letGo() {
        made.withLock { $0 = nil }
        preparing.withLock { $0 = nil }
    }

    /// What is being made ready is waited for.
    var prepared: TriggeredStart? { get async { await preparing.withLock { $0 }?.value } }

    /// Makes it ready, once; where that fails it is tried again when it is needed.
    ///
    /// - Parameter isReady: whether it may begin.
    func prepare(isReady: Bool) async {
        if isReady { self.isReady.set() }
        let task = preparing.withLock { preparing in
            let task = preparing ?? Task { try? await make(isReady: false) }
            preparing = task
            return task
        }
        guard await task.value == nil, isReady else { return }
        // It could not be made early, as on a disk that was full for a moment: once more.
        let again = preparing.withLock { preparing in
            if preparing == task { preparing = Task { try? await make(isReady: false) } }
            return preparing
        }
        _ = await again?.value
    }

    /// - Throws: ``RushesError`` if there can be none.
    func make(isReady: Bool) async throws -> TriggeredStart {
        if isReady { self.isReady.set() }
        let recording = try await movies.prepareRecording(
            to: request.destination.following(at: Date()), settings: request.settings, limits: request.limits,
            preRoll: request.preRollOfStart ?? PreRoll(.zero), keptFiles: request.keptFiles)
        let following = FollowingStart(recording, session, movies, request)
        let start = TriggeredStart(recording, following, after: preceding, self.isReady)
        made.withLock { $0 = start }
        return start
    }
}

/// Something that is set once.
private final class Signal: Sendable {
    private let value: Atomic<Bool>

    init(_ isSet: Bool) { value = Atomic(isSet) }

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
