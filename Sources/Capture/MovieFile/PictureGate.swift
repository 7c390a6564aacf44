import GStreamer

/// Decides for each picture of a camera whether it belongs to the take, and at which time in the movie.
struct PictureGate: Sendable {
    enum Answer: Equatable, Sendable {
        /// Before the beginning, off the rate's grid, or not later than the picture before it.
        case drop
        /// Part of the movie at this presentation timestamp (nanoseconds).
        case pass(Nanoseconds)
        /// At or after the end: the track is complete.
        case end
    }

    /// Nanoseconds from one picture to the next, as the camera promises.
    let frameDuration: Nanoseconds
    /// Whether pictures are compressed, so that the track has to begin with a key frame.
    let needsKeyFrame: Bool
    /// Thins the pictures out to one for each span of this length, where a lower rate than the camera's was asked for.
    let grid: Nanoseconds?
    private(set) var last: Nanoseconds?
    private var slot: Int64 = -1

    init(frameDuration: Nanoseconds, needsKeyFrame: Bool = false, grid: Nanoseconds? = nil) {
        self.frameDuration = frameDuration
        self.needsKeyFrame = needsKeyFrame
        self.grid = grid
    }

    mutating func decide(time: Nanoseconds, isKeyFrame: Bool, clock: inout TakeClock) -> Answer {
        // A camera's stamps scatter around its grid, so the borders lie half a frame before the stated times: a take of
        // ten seconds at 30 has 300 pictures whichever way the last one leans.
        let tolerance = frameDuration / 2
        if let end = clock.end, time >= end - tolerance { return .end }
        if last == nil {
            guard time >= clock.requested, !needsKeyFrame || isKeyFrame else { return .drop }
            clock.start(atPicture: time)
        }
        guard let start = clock.start else { return .drop }
        let inMovie = time - start
        guard inMovie >= 0, inMovie > last ?? -1 else { return .drop }
        if let grid {
            let wanted = (inMovie + tolerance) / grid
            guard wanted > slot else { return .drop }
            slot = wanted
            last = max(wanted * grid, (last ?? -1) + 1)
            return .pass(wanted * grid)
        }
        last = inMovie
        return .pass(inMovie)
    }
}
