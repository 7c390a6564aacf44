import Encoding
import GStreamer

/// Decides for each frame of a camera whether it is part of the recording, and at which presentation timestamp; counts the frames of the
/// recording that are missing from the movie.
struct FrameSelector: Sendable {
    enum Answer: Equatable, Sendable {
        /// Not part of the movie: before the beginning, in a pause, or off the grid of a lower rate that was asked for.
        case skip
        /// Part of the recording, but there is no free timestamp for it. Counted in ``FrameSelector/lost``.
        case lose
        /// Part of the movie at this presentation timestamp, for this long. Frames that wait go first, and are part of it too.
        case pass(MediaTime, duration: MediaTime)
        /// Waits: it is shown behind a pause or the end, and part of the movie only if one before that needs it. Whatever else is answered next,
        /// it is not.
        case wait
        /// At or after the end: the track is complete.
        case end
    }

    /// From one frame to the next, as the camera promises.
    private(set) var frameDuration: MediaTime
    /// Whether frames are compressed, so that the track has to begin with a key frame.
    let needsKeyFrame: Bool
    /// Of a compressed stream whose frames come in another order than they are shown.
    private var order: DecodingOrder?
    /// Whether frames come in the order of decoding, which is not that of their times.
    var isReordered: Bool { order != nil }
    /// Thins the frames out to one for each span of this length, where a lower rate than the camera's was asked for.
    let grid: MediaTime?
    /// Frames that came and have no place in the movie.
    private(set) var lost = 0
    /// Of the last frame in the movie.
    private var lastTime: MediaTime?
    private var slot: Int = -1
    private var rhythm: FrameIntervalTracker
    private var gaps: FrameGaps?
    private var sequence = FrameSequence()
    private var followsStandIn = false

    /// - Parameters:
    ///   - reorderedSamples: of a compressed stream: how many samples, frames or fields, that are shown behind another one may come before it.
    ///   - isPromised: whether the camera keeps to its frame duration, so that what does not come is missing.
    init(
        frameDuration: MediaTime, needsKeyFrame: Bool = false, reorderedSamples: Int = 0, grid: MediaTime? = nil,
        isPromised: Bool = true
    ) {
        order = reorderedSamples > 0 ? DecodingOrder(depth: reorderedSamples) : nil
        self.frameDuration = max(.nanosecond, frameDuration)
        self.needsKeyFrame = needsKeyFrame
        self.grid = grid.map { max(.nanosecond, $0) }
        rhythm = FrameIntervalTracker(frameDuration: self.frameDuration)
        // Of times that go back and forth nobody can tell where one is missing.
        gaps = isPromised && order == nil ? FrameGaps(frameDuration: self.grid ?? self.frameDuration) : nil
    }

    /// GStreamer's parser for H.264 (1.22) calls each frame of I slices a key frame; what follows may refer to frames before all the same,
    /// which are not in the file then. A beginning is waited for so long: some cameras refresh their frames bit by bit and send none.
    private static let longestWait = 10 * MediaTime.second

    /// Frames that the camera owes the movie until now.
    var missing: Int { gaps?.missing ?? 0 }

    /// Raw frames closer than a millisecond would fall on one tick of the track's timescale, and decoders complain.
    private var shortest: MediaTime { needsKeyFrame ? .nanosecond : min(.millisecond, frameDuration / 4) }

    /// - Parameters:
    ///   - time: the frame's running time.
    ///   - number: the camera's own count of it, where it counts.
    ///   - duration: how long it lasts, where the stream says so.
    ///   - isStandIn: whether another camera gave it, so that nothing is missing before it.
    ///   - isKeyFrame: whether the parser calls it one.
    ///   - isGroupStart: whether nothing behind a key frame needs what came before; asked for where the movie may begin with it.
    mutating func decide(
        time: MediaTime, number: FrameNumber? = nil, duration: MediaTime? = nil, isStandIn: Bool = false,
        isKeyFrame: Bool = true, isGroupStart: () -> Bool = { true }, timeline: inout RecordingTimeline
    ) -> Answer {
        // Nor before the main camera's next one: what that loses or gives too late meanwhile is counted by itself.
        if isStandIn || followsStandIn { interrupt() }
        followsStandIn = isStandIn
        let answer = answer(to: time, number, duration, isKeyFrame, isGroupStart, &timeline)
        if answer == .skip { sequence.skip(number) }
        return answer
    }

    private mutating func answer(
        to time: MediaTime, _ number: FrameNumber?, _ duration: MediaTime?, _ isKeyFrame: Bool,
        _ isGroupStart: () -> Bool, _ timeline: inout RecordingTimeline
    ) -> Answer {
        if order != nil { return reordered(time, duration, isKeyFrame, isGroupStart, &timeline) }
        let smooth = rhythm.smooth(time)
        // The border lies half a frame before the end, measured on the camera's rhythm: ten seconds at 30 are 300 frames,
        // whichever way the stamps of the first and the last lean.
        if let end = timeline.end, smooth >= end - frameDuration / 2 {
            // A pause that was asked for just before would else move it.
            timeline.end(at: end)
            return .end
        }
        switch timeline.phase {
        case .standing: return .skip
        case .beginning(let since):
            guard time >= since else { return .skip }
            guard canBegin(time, since, isKeyFrame, isGroupStart) else { return .skip }
            timeline.begin(at: time)
        case .pausing(let since):
            guard time < since else {
                timeline.pauseBegins(at: time)
                return .skip
            }
        case .recording: break
        }
        guard let movieTime = timeline.movieTime(of: time) else { return .skip }
        if let grid { return place(movieTime, on: grid) }
        let lost = sequence.lost(
            before: number, distance: (movieTime - (lastTime ?? movieTime)) / frameDuration)
        gaps?.add(movieTime, lost: sequence.isBelieved ? lost : nil, isContinued: sequence.isContinued)
        // Those that were held up somewhere come at once. Up to a frame's length each gets its place behind the one before;
        // what is further off stands still or goes back.
        let place = max(movieTime, lastTime.map { $0 + shortest } ?? .zero)
        guard place <= movieTime + frameDuration else {
            self.lost += 1
            return .lose
        }
        lastTime = place
        return .pass(place, duration: duration ?? frameDuration)
    }

    private func canBegin(
        _ time: MediaTime, _ since: MediaTime, _ isKeyFrame: Bool, _ isGroupStart: () -> Bool
    ) -> Bool {
        !needsKeyFrame || isKeyFrame && (time - since > Self.longestWait || isGroupStart())
    }

    /// Of a stream in the order of decoding. A pause or an end comes where all frames are there that are shown before it, and none that is
    /// shown behind: up to a few frames later than it was asked for.
    private mutating func reordered(
        _ time: MediaTime, _ duration: MediaTime?, _ isKeyFrame: Bool, _ isGroupStart: () -> Bool,
        _ timeline: inout RecordingTimeline
    ) -> Answer {
        let length = duration ?? frameDuration
        // A field lasts half as long as a frame, and both are in the movie or none.
        let end = timeline.end.map { $0 - min(length, frameDuration) / 2 }
        var pause: MediaTime?
        switch timeline.phase {
        case .standing, .beginning:
            if let end, time >= end {
                settleEnd(of: &timeline)
                return .end
            }
            guard case .beginning(let since) = timeline.phase, time >= since,
                canBegin(time, since, isKeyFrame, isGroupStart)
            else { return .skip }
            timeline.begin(at: time)
            order?.begin()
        case .pausing(let since): pause = since
        case .recording: break
        }
        let border = min(pause ?? .max, end ?? .max)
        switch order?.decide(time, border: border) {
        case .wait: return .wait
        case .over(let next) where pause == border:
            timeline.pauseBegins(at: next)
            return .skip
        case .over:
            settleEnd(of: &timeline)
            return .end
        case .pass, nil: break
        }
        // What is shown before the first of a segment is not in it.
        guard let begin = timeline.segments.last?.begin, time >= begin, let place = timeline.movieTime(of: time) else {
            return .skip
        }
        order?.pass(time, lasting: length)
        // Just behind it: how long it lasts is known better when the next one comes.
        if let latest = order?.latest, latest >= border { timeline.extend(to: latest + .nanosecond) }
        return .pass(place, duration: length)
    }

    /// Ends the recording behind all frames that are in it: none follows. Where no end is known yet, none will be moved.
    func settleEnd(of timeline: inout RecordingTimeline) {
        defer { timeline.settleEnd() }
        guard let order, let end = timeline.end else { return }
        timeline.end(at: end)
        if let reached = order.reached, reached > end - frameDuration / 2 { timeline.extend(to: reached) }
    }

    /// How long a pause waits for the frames that tell where it begins. Less than the audio that waits with it may be.
    var pauseTimeout: MediaTime { min(.second + (order?.depth ?? 0) * frameDuration, 5 * .second) }

    private mutating func place(_ time: MediaTime, on grid: MediaTime) -> Answer {
        let wanted = (time + frameDuration / 2).quotient(dividingBy: grid)
        guard wanted > slot else { return .skip }
        (slot, lastTime) = (wanted, time)
        gaps?.add(wanted * grid)
        return .pass(wanted * grid, duration: grid)
    }

    /// Where the recording ends that somebody stops at a running time: where two frames meet, and behind all that are in it.
    ///
    /// - Parameter least: running time that it is not to end before.
    func border(
        nearest time: MediaTime, notBefore least: MediaTime = .zero, _ timeline: RecordingTimeline
    ) -> MediaTime {
        if let grid, let movieTime = timeline.movieTime(of: time) {
            let begin = time - movieTime
            let place = max(
                slot + 1, (movieTime + grid / 2).quotient(dividingBy: grid), Self.count(least - begin, grid))
            return begin + place * grid
        }
        guard let last = rhythm.last else { return max(time, least) }
        let place = max(
            1, (time - last + frameDuration / 2).quotient(dividingBy: frameDuration),
            Self.count(least - last, frameDuration))
        return last + place * frameDuration
    }

    /// How many spans of a length reach to the end of another one.
    private static func count(_ span: MediaTime, _ length: MediaTime) -> Int {
        (span + length - .nanosecond).quotient(dividingBy: length)
    }

    /// Running time of the last frame that came.
    var last: MediaTime? { rhythm.last }

    /// Takes frames of another rate from now on: another camera's, or another mode's. What lies before the first of them owes nothing.
    mutating func follow(frameDuration new: MediaTime) {
        guard new != frameDuration, !needsKeyFrame else { return }
        frameDuration = max(.nanosecond, new)
        rhythm.follow(frameDuration: frameDuration)
        if grid == nil { gaps?.follow(frameDuration: frameDuration) }
    }

    /// Counts nothing as missing until the next frame: the loss is reported separately.
    mutating func interrupt() { gaps?.finish(at: nil) }

    /// Counts what is missing up to the recording's end. Later calls change nothing.
    ///
    /// - Parameter timeline: `nil` where the camera is gone, which is told in other words.
    mutating func finish(_ timeline: RecordingTimeline?) {
        gaps?.finish(at: timeline.flatMap { timeline in timeline.end.flatMap { timeline.movieTime(of: $0) } })
    }
}
