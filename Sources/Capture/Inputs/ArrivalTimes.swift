import MediaTypes

/// Says when frames were taken that are stamped as they arrive. Pure.
///
/// A server keeps frames for a program that is held up, and hands them out at once when that goes on: by their stamps they would all have
/// been taken then. What comes late is held back until it is known what follows: of frames that come at once the last has just been
/// taken, and those before it a frame's duration apart. Other stamps are late by little (``TimestampDejitter``).
///
/// Each frame has a time of its own, ``least`` later than the one before; for that alone one is later than its stamp.
struct ArrivalTimes<Frame: Sendable>: Sendable {
    private let frameDuration: MediaTime
    private var freshness: ArrivalFreshness
    private var dejitter: TimestampDejitter
    /// Frames that came at once after a gap, with their stamps.
    private var held: [(frame: Frame, stamp: MediaTime)] = []
    private var lastTime: MediaTime?

    /// No server keeps more frames.
    private static var most: Int { 32 }
    /// Movies count in ticks of a third of a millisecond.
    static var least: MediaTime { .millisecond }

    /// - Parameter frameDuration: from one frame to the next, as the camera promises.
    init(frameDuration: MediaTime) {
        self.frameDuration = frameDuration
        freshness = ArrivalFreshness(frameDuration: frameDuration)
        dejitter = TimestampDejitter(frameDuration: frameDuration)
    }

    /// Takes the next frame, and gives those of which it is known by now when they were taken, in order.
    mutating func receive(_ frame: Frame, stamp: MediaTime) -> [(frame: Frame, time: MediaTime)] {
        let isFirst = lastTime == nil && held.isEmpty
        let isGap = freshness.isGap(before: stamp)
        if freshness.isFresh(stamp) || isFirst {
            return release(with: frame, at: dejitter.time(of: stamp))
        }
        let earlier = isGap || held.count == Self.most ? flush() : []
        held.append((frame, stamp))
        return earlier
    }

    /// Gives what is held back, as nothing follows it.
    mutating func flush() -> [(frame: Frame, time: MediaTime)] {
        guard let last = held.popLast() else { return [] }
        return release(with: last.frame, at: last.stamp)
    }

    /// Gives what is held back, each frame a frame's duration before the next, and the last as long before one that was taken at a time;
    /// closer where there is no room since the frame before.
    private mutating func release(with frame: Frame, at time: MediaTime) -> [(frame: Frame, time: MediaTime)] {
        let room = time - (lastTime ?? time)
        let distance = max(.zero, min(frameDuration, room / (held.count + 1)))
        var given = held.enumerated().map { index, held in
            (frame: held.frame, time: min(held.stamp, time - (self.held.count - index) * distance))
        }
        given.append((frame, time))
        for index in given.indices {
            if let lastTime { given[index].time = max(given[index].time, lastTime + Self.least) }
            lastTime = given[index].time
        }
        held = []
        return given
    }
}
