import Encoding
import GStreamer
import MediaTypes
import MovieFiles
import Threads

/// The shots of a timelapse on their way: which of a camera's frames are let through, and which go into the movie.
///
/// Frames come on their device's thread; the lock is held while a decision is made and handed over, and nothing waits in it.
final class TimelapseTrack: Sendable {
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
        var waiting: [(frame: Buffer, caps: Caps, wall: MediaTime)] = []
        var dark = 0
        /// The last shot, as it came.
        var shot: (frame: Sample, wall: MediaTime)?
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
            guard frame.time >= state.readyAt, let movie = state.movie, movie.count < maximumShots,
                state.schedule.isDue(at: moment)
            else { return }
            if let minimumLuma, let luma = MeanLuma.percent(of: frame.buffer, frame.caps), luma < minimumLuma {
                state.schedule.skip(at: moment)
                state.dark += 1
                return
            }
            guard state.schedule.take(at: moment) else { return }
            // Of a device's few buffers none is kept until the next shot.
            let buffer = frame.buffer.copied()
            let wall = state.schedule.time(of: state.schedule.slot)
            state.shot = (Sample(buffer, frame.caps), wall)
            if let border = state.border, wall >= border, state.waiting.count < limit {
                state.waiting.append((buffer, frame.caps, wall))
            } else {
                append(buffer, frame.caps, wall, &state)
            }
        }
    }

    private func append(_ frame: Buffer, _ caps: Caps, _ wall: MediaTime, _ state: inout State) {
        if caps != state.caps {
            state.caps = caps
            state.movie?.writer.setVideoCaps(caps)
        }
        if state.movie?.append(frame, at: wall, limit: limit) == false { state.schedule.lose() }
    }

    /// Hands the last shot to the movie that is there now: the one before could not take it.
    func repeatShot() {
        state.withLock { state in
            guard let (frame, wall) = state.shot, let buffer = frame.buffer else { return }
            _ = state.movie?.append(buffer, at: wall, limit: limit)
        }
    }

    /// Takes note of the time.
    ///
    /// - Returns: how far the wall clock was set.
    func look() -> MediaTime? { state.withLock { $0.schedule.look(at: clock()) } }

    /// Lets shots go into another file from now on, those first that wait for it; returns the one before.
    ///
    /// - Parameter border: wall time from which on they belong to yet another one.
    @discardableResult
    func change(to movie: TimelapseMovie?, until border: MediaTime? = nil) -> TimelapseMovie? {
        state.withLock { state in
            let old = state.movie
            (state.movie, state.border, state.caps) = (movie, border, nil)
            let waiting = state.waiting
            state.waiting = []
            for shot in waiting { append(shot.frame, shot.caps, shot.wall, &state) }
            return old
        }
    }

    /// Shots wait for the next file; when the first was due.
    var waitsSince: MediaTime? { state.withLock { $0.waiting.first?.wall } }

    /// Puts those that wait into the file that is there: there is no other.
    func keepMovie(until border: MediaTime?) {
        state.withLock { state in
            let waiting = state.waiting
            (state.border, state.waiting) = (border, [])
            for shot in waiting { append(shot.frame, shot.caps, shot.wall, &state) }
        }
    }

    var dark: Int { state.withLock { $0.dark } }

    /// No frame before that is kept: a camera that was just opened sends what lay in its queue, and exposes wrongly.
    func ready(at time: MediaTime) { state.withLock { ($0.readyAt, $0.passing) = (time, nil) } }

    func hold(_ isHeld: Bool) {
        state.withLock { $0.schedule.hold(isHeld, at: clock()) }
    }

    var schedule: ShotSchedule { state.withLock { $0.schedule } }
    var movie: TimelapseMovie? { state.withLock { $0.movie } }
    var shot: (frame: Sample, wall: MediaTime)? { state.withLock { $0.shot } }
}
