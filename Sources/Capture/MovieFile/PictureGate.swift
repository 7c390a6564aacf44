import GStreamer

/// Decides for each picture of a camera whether it belongs to the take, and at which time in the movie.
struct PictureGate: Sendable {
    enum Answer: Equatable, Sendable {
        /// Before the beginning, off the rate's grid, or not later than the picture before it.
        case drop
        /// Part of the movie at this presentation timestamp, for this long (nanoseconds).
        case pass(Nanoseconds, duration: Nanoseconds)
        /// At or after the end: the track is complete.
        case end
    }

    /// Nanoseconds from one picture to the next, as the camera promises.
    let frameDuration: Nanoseconds
    /// Whether pictures are compressed, so that the track has to begin with a key frame.
    let needsKeyFrame: Bool
    /// Thins the pictures out to one for each span of this length, where a lower rate than the camera's was asked for.
    let grid: Nanoseconds?
    private var lastTime: Nanoseconds?
    private var slot: Int64 = -1
    private var rhythm: CameraRhythm

    init(frameDuration: Nanoseconds, needsKeyFrame: Bool = false, grid: Nanoseconds? = nil) {
        self.frameDuration = max(1, frameDuration)
        self.needsKeyFrame = needsKeyFrame
        self.grid = grid.map { max(1, $0) }
        rhythm = CameraRhythm(frameDuration: self.frameDuration)
    }

    /// Raw pictures closer than a millisecond would fall on one tick of the track's timescale, and decoders complain. Of a
    /// compressed stream none can be left out.
    private var shortest: Nanoseconds { needsKeyFrame ? 1 : min(.millisecond, frameDuration / 4) }

    /// - Parameters:
    ///   - time: the picture's running time in nanoseconds.
    ///   - duration: how long it lasts, where the stream says so.
    mutating func decide(
        time: Nanoseconds, duration: Nanoseconds? = nil, isKeyFrame: Bool = true, clock: inout TakeClock
    ) -> Answer {
        let smooth = rhythm.smooth(time)
        // The border lies half a frame before the end, measured on the camera's rhythm: ten seconds at 30 are 300 pictures,
        // whichever way the stamps of the first and the last lean.
        if let end = clock.end, smooth >= end - frameDuration / 2 { return .end }
        if lastTime == nil {
            guard time >= clock.requested, !needsKeyFrame || isKeyFrame else { return .drop }
            clock.start(at: time)
        }
        guard let start = clock.start, time >= lastTime.map({ $0 + shortest }) ?? start else { return .drop }
        guard let grid else {
            lastTime = time
            return .pass(time - start, duration: duration ?? frameDuration)
        }
        let wanted = (time - start + frameDuration / 2) / grid
        guard wanted > slot else { return .drop }
        (slot, lastTime) = (wanted, time)
        return .pass(wanted * grid, duration: grid)
    }
}

/// Where a camera's pictures lie on its own even rhythm, without the scatter of their stamps.
struct CameraRhythm: Sendable {
    let frameDuration: Nanoseconds
    private var last: Nanoseconds?

    init(frameDuration: Nanoseconds) { self.frameDuration = frameDuration }

    /// The time on the rhythm that belongs to the next picture's stamp.
    mutating func smooth(_ stamp: Nanoseconds) -> Nanoseconds {
        guard let last else {
            self.last = stamp
            return stamp
        }
        let frames = max(1, (Double(stamp - last) / Double(frameDuration)).rounded())
        let expected = last + Nanoseconds(frames * Double(frameDuration))
        // A tenth of the difference follows a camera that is 1 % off its promise, and lets little of the scatter through.
        let smooth = expected + (stamp - expected) / 10
        self.last = smooth
        return smooth
    }
}
