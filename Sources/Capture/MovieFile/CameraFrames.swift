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

    /// Frames that came and have no place in the movie: too many at once, or behind one that is in it already.
    private(set) var lost = 0
    private let frameDuration: MediaTime
    /// How many may wait.
    private let limit: Int

    /// Frames closer than this would fall on one tick of a track.
    private static var shortest: MediaTime { .millisecond }
    /// A camera that delivers nothing goes on with its last frame, one for each such span: a track that stands still would hold
    /// up the other and, by the audio that they share, the other movies.
    private static var repetition: MediaTime { .second }

    /// - Parameters:
    ///   - frameDuration: as the camera promises.
    ///   - limit: how many frames may wait until it is known whether they are recorded.
    init(frameDuration: MediaTime, limit: Int) { (self.frameDuration, self.limit) = (frameDuration, limit) }

    mutating func append(_ frame: Frame, time: MediaTime) {
        waiting.append(Timed(frame: frame, time: time))
        guard waiting.count > limit else { return }
        waiting.removeFirst()
        lost += 1
    }

    /// The frames that are known to be in the movie, with their presentation timestamps there, which rise.
    ///
    /// - Parameter limit: running time up to which the timeline is known.
    mutating func take(upTo limit: MediaTime, _ timeline: RecordingTimeline) -> [(frame: Frame, time: MediaTime)] {
        var taken = known(upTo: limit, timeline)
        if isInside, let shown, let last, let reached = timeline.movieTime(of: limit),
            reached - last > Self.repetition + frameDuration
        {
            self.last = reached - frameDuration
            taken.append((shown.frame, reached - frameDuration))
        }
        return taken
    }

    private mutating func known(
        upTo limit: MediaTime, _ timeline: RecordingTimeline
    ) -> [(frame: Frame, time: MediaTime)] {
        var taken: [(frame: Frame, time: MediaTime)] = []
        func place(_ frame: Timed, at time: MediaTime) {
            // Those that were held up somewhere come at once. Up to a frame's length each gets its place behind the one before.
            guard let time = timeline.movieTime(of: time),
                case let place = max(time, last.map { $0 + Self.shortest } ?? time),
                place <= time + frameDuration
            else {
                lost += 1
                return
            }
            taken.append((frame.frame, place))
            last = place
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

    /// A frame that comes less than half of one before the recording's end is not in it, as with the composed ones.
    private func end(of index: Int, _ timeline: RecordingTimeline) -> MediaTime? {
        timeline.segments[index].end
            ?? (index == timeline.segments.count - 1 ? timeline.end.map { $0 - frameDuration / 2 } : nil)
    }
}
