import MediaTypes

/// One camera's frames in a movie of its own, beside a composed recording: the same spans of time on the same timeline.
///
/// What the recording holds is decided by the composed frames, which come later than the camera's. So its frames wait until that is
/// known, and every span begins with the frame that was to be seen at its first moment. Pure.
struct CameraFrames<Frame: Sendable>: Sendable {
    struct Timed: Sendable {
        let frame: Frame
        /// Running time.
        let time: MediaTime
    }

    private var waiting: [Timed] = []
    /// The newest frame that is known to lie outside of the recording, or the last one in it.
    private var shown: Timed?
    /// The span that is under way or comes next.
    private var segment = 0
    private var isInside = false
    private var last: MediaTime?

    /// Frames closer than this would fall on one tick of a track.
    private static var shortest: MediaTime { .millisecond }

    /// A frame that comes less than this before the recording's end is not in it, as with the composed ones: half a frame.
    private let tail: MediaTime

    /// How many may wait.
    private let limit: Int

    /// - Parameters:
    ///   - frameDuration: as the camera promises.
    ///   - limit: how many frames may wait until it is known whether they are recorded.
    init(frameDuration: MediaTime, limit: Int) { (tail, self.limit) = (frameDuration / 2, limit) }

    /// False if the oldest frame that waits had to go for it.
    mutating func append(_ frame: Frame, time: MediaTime) -> Bool {
        waiting.append(Timed(frame: frame, time: time))
        guard waiting.count > limit else { return true }
        waiting.removeFirst()
        return false
    }

    /// The frames that are known to be in the movie, with their presentation timestamps there.
    ///
    /// - Parameter limit: running time up to which the timeline is known.
    mutating func take(upTo limit: MediaTime, _ timeline: RecordingTimeline) -> [(frame: Frame, time: MediaTime)] {
        var taken: [(frame: Frame, time: MediaTime)] = []
        func place(_ frame: Timed, at time: MediaTime) {
            guard let time = timeline.movieTime(of: time), last.map({ time - $0 >= Self.shortest }) ?? true else {
                return
            }
            taken.append((frame.frame, time))
            last = time
        }
        while true {
            let next = waiting.first.flatMap { $0.time <= limit ? $0 : nil }
            guard timeline.segments.indices.contains(segment) else {
                // Nothing is recorded until a span begins, for which the newest is kept.
                guard let next else { return taken }
                shown = next
                waiting.removeFirst()
                continue
            }
            let (begin, end) = (timeline.segments[segment].begin, end(of: segment, timeline))
            if !isInside {
                if let next, next.time <= begin {
                    shown = next
                    waiting.removeFirst()
                    continue
                }
                guard begin <= limit else { return taken }
                isInside = true
                if let shown { place(shown, at: begin) }
            } else if let next, next.time < end ?? .max {
                place(next, at: next.time)
                shown = next
                waiting.removeFirst()
            } else if let end, end <= limit {
                (isInside, segment) = (false, segment + 1)
            } else {
                return taken
            }
        }
    }

    private func end(of index: Int, _ timeline: RecordingTimeline) -> MediaTime? {
        timeline.segments[index].end ?? (index == timeline.segments.count - 1 ? timeline.end.map { $0 - tail } : nil)
    }
}
