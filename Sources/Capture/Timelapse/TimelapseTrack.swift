import Encoding
import GStreamer
import MediaTypes
import MovieFiles
import Threads

/// The shots of a timelapse on their way: which of a camera's frames are let through, and which go into the movie.
///
/// Frames come on their device's thread; the lock is held while a decision is made and handed over, and nothing waits in it.
final class TimelapseTrack: Sendable {
    /// A frame that was taken for a slot.
    struct Shot: Sendable {
        let frame: Buffer
        let caps: Caps
        /// Which one it is, and when it was due.
        let due: PendingShots.Shot
        var wall: MediaTime { due.wall }
    }

    /// Why shots wait for another file.
    enum Wait: Sendable, Equatable {
        /// They belong to the movie of another day; when the first was due.
        case day(MediaTime)
        /// The file takes no more.
        case fullFile
    }

    private struct State {
        var schedule: ShotSchedule
        var movie: TimelapseMovie?
        var caps: Caps?
        /// Since when a frame that was let through is on its way through the decoder.
        var passing: MediaTime?
        /// Running time from which on the camera's frames can be kept.
        var readyAt = MediaTime.min
        /// Wall time from which on shots belong to the next file, for which they wait.
        var border: MediaTime?
        /// All shots wait: the file is being given up.
        var isHeldBack = false
        var waiting: [Shot] = []
        /// Those that may not be in the file.
        var recent = RecentShots<Shot>()
        var dark = 0
        /// How many shots there have been, those that no file has got included.
        var count = 0
        /// The last one, as it came.
        var shot: Shot?
        /// How many were missed when the last frame had come.
        var missed = 0
        /// Since the camera is gone: how many had been missed before, and whether it runs again.
        var gap: (missed: Int, isOver: Bool)?
        /// What was missed in the last gap, until it is told.
        var closedGap: Int?

        /// A frame has come, whatever became of it.
        mutating func noteFrame() {
            missed = schedule.missed
            guard let gap, gap.isOver else { return }
            (self.gap, closedGap) = (nil, missed - gap.missed)
        }
    }

    private let state: Locked<State>
    private let clock: @Sendable () -> ClockReading
    private let limit: Int
    /// How many shots the movies have at most.
    private let maximumShots: Int
    private let minimumLuma: Double?

    /// A frame that is let through and does not come out of its decoder in that time is damaged: the next one is let through.
    private static let decoding = MediaTime.second

    /// - Parameters:
    ///   - limit: how many frames may wait for the encoder.
    ///   - maximumShots: how many shots its movies have at most.
    ///   - minimumLuma: how bright a frame must be, in percent.
    init(
        _ schedule: ShotSchedule, limit: Int, maximumShots: Int = .max, minimumLuma: Double? = nil,
        clock: @escaping @Sendable () -> ClockReading
    ) {
        var schedule = schedule
        // From now on a clock that is set is noticed.
        _ = schedule.evaluate(at: clock())
        state = Locked(State(schedule: schedule))
        (self.clock, self.limit, self.maximumShots, self.minimumLuma) = (clock, limit, maximumShots, minimumLuma)
    }

    /// Whether a frame of that running time is worth decoding.
    func isWanted(_ time: MediaTime) -> Bool {
        state.withLock { state in
            let now = clock()
            guard time >= state.readyAt, state.passing.map({ now.running - $0 > Self.decoding }) ?? true,
                state.schedule.isDue(at: now.moved(to: time))
            else { return false }
            state.passing = now.running
            return true
        }
    }

    /// Takes a frame that came through, if it is a slot's first.
    func receive(_ frame: CaptureInput.TimedSample) {
        state.withLock { state in
            state.passing = nil
            let moment = clock().moved(to: frame.time)
            guard frame.time >= state.readyAt, let movie = state.movie,
                movie.count + state.waiting.count < maximumShots, state.schedule.isDue(at: moment)
            else { return }
            if let minimumLuma, let luma = MeanLuma.percent(of: frame.buffer, frame.caps), luma < minimumLuma {
                state.schedule.skip(at: moment)
                state.dark += 1
                state.noteFrame()
                return
            }
            guard state.schedule.take(at: moment) else { return }
            // Of a device's few buffers none is kept until the next shot.
            let due = PendingShots.Shot(
                number: state.count, wall: state.schedule.time(of: state.schedule.slot))
            state.count += 1
            let shot = Shot(frame: frame.buffer.copied(), caps: frame.caps, due: due)
            state.shot = shot
            let isForNext = state.isHeldBack || shot.wall >= state.border ?? .max || movie.isFull
            state.noteFrame()
            if isForNext || !state.waiting.isEmpty { queue(shot, &state) } else { append(shot, &state) }
        }
    }

    private func queue(_ shot: Shot, _ state: inout State) {
        if state.waiting.count < limit { state.waiting.append(shot) } else { state.schedule.lose() }
    }

    private func append(_ shot: Shot, _ state: inout State) {
        guard let movie = state.movie else { return state.schedule.lose() }
        if shot.caps != state.caps {
            state.caps = shot.caps
            movie.writer.setVideoCaps(shot.caps)
        }
        switch state.movie?.append(shot.frame, shot.due, limit: limit) {
        case .taken:
            state.recent.add(
                shot, number: movie.shots, bytes: shot.frame.byteCount, inFile: movie.writer.framesInFile, limit: limit)
        // It has failed; what follows from that is seen at the next look.
        case .closed: queue(shot, &state)
        case .tooMany, nil: state.schedule.lose()
        }
    }

    /// Takes note of the time.
    ///
    /// - Returns: how far the wall clock was set.
    func clockJump() -> MediaTime? { state.withLock { $0.schedule.evaluate(at: clock()) } }

    // MARK: Files

    /// Lets all shots wait until ``change(to:until:repeatingFrom:)``; returns the movie with all that it has got.
    func holdBack() -> TimelapseMovie? {
        state.withLock { state in
            state.isHeldBack = true
            return state.movie
        }
    }

    /// Lets shots go into another file from now on, those first that wait for it; returns the one before.
    ///
    /// - Parameters:
    ///   - border: wall time from which on they belong to yet another one.
    ///   - number: of the first shot that the one before has not taken: it is handed over again, with those behind it. What is
    ///     there no more counts as missed.
    @discardableResult
    func change(to movie: TimelapseMovie?, until border: MediaTime? = nil, repeatingFrom number: Int? = nil)
        -> TimelapseMovie?
    {
        state.withLock { state in
            let old = state.movie
            let again = number.map { state.recent.from($0) } ?? []
            if let number, let old { for _ in 0..<max(0, old.shots - number - again.count) { state.schedule.lose() } }
            (state.movie, state.border, state.caps, state.isHeldBack) = (movie, border, nil, false)
            state.recent = RecentShots()
            flush(&state, first: again)
            return old
        }
    }

    /// Puts those that wait into the file that is there: there is no other.
    func keepMovie(until border: MediaTime?) {
        state.withLock { state in
            (state.border, state.isHeldBack) = (border, false)
            state.movie?.room = nil
            flush(&state)
        }
    }

    private func flush(_ state: inout State, first: [Shot] = []) {
        let shots = first + state.waiting
        state.waiting = []
        for shot in shots { append(shot, &state) }
    }

    /// Why shots wait for another file; `nil` if none does.
    var wait: Wait? {
        state.withLock { state in
            guard !state.isHeldBack, let first = state.waiting.first else { return nil }
            return first.wall >= state.border ?? .max ? .day(first.wall) : .fullFile
        }
    }

    var dark: Int { state.withLock { $0.dark } }

    /// No frame before that is kept: a camera that was just opened sends what lay in its queue, and exposes wrongly.
    func ready(at time: MediaTime) {
        state.withLock { state in
            (state.readyAt, state.passing) = (time, nil)
            state.gap?.isOver = true
        }
    }

    /// The camera is gone: from its last frame on nothing comes until the first one after ``ready(at:)``.
    func beginGap() { state.withLock { $0.gap = ($0.gap?.missed ?? $0.missed, false) } }

    /// How many shots were missed while the camera was gone, once the first one after that has come; told once.
    func takeGap() -> Int? {
        state.withLock { state in
            defer { state.closedGap = nil }
            return state.closedGap
        }
    }

    func hold(_ isHeld: Bool) {
        state.withLock { $0.schedule.hold(isHeld, at: clock()) }
    }

    var schedule: ShotSchedule { state.withLock { $0.schedule } }
    var movie: TimelapseMovie? { state.withLock { $0.movie } }
    /// The last one, as it came.
    var shot: Sample? { state.withLock { $0.shot }.map { Sample($0.frame, $0.caps) } }
}
