import MediaTypes

/// An inset's frames in their order: which one is shown at a time. Pure; times are the main movie's.
struct InsetFrames<Frame> {
    private struct Timed {
        let frame: Frame
        let time: MediaTime
        let end: MediaTime
    }

    private var current: Timed?
    private var next: Timed?
    private(set) var hasEnded = false
    /// How far times are rounded: a frame that much later than a main one was taken with it.
    private let rounding: MediaTime
    /// When the first and the last frame are shown that came.
    private(set) var span: Range<MediaTime>?

    init(rounding: MediaTime) { self.rounding = rounding }

    /// Whether a further frame is needed to tell what is shown at a time. What is shown before it is forgotten.
    mutating func needsMore(for time: MediaTime) -> Bool {
        if let next, next.time <= time + rounding { (current, self.next) = (next, nil) }
        return next == nil && !hasEnded
    }

    /// - Parameters:
    ///   - time: later than the last one's; what is not is left out.
    ///   - duration: for how long it is shown if no other follows.
    mutating func append(_ frame: Frame, time: MediaTime, duration: MediaTime) {
        if let last = next ?? current, time <= last.time { return }
        let end = time + duration
        next = Timed(frame: frame, time: time, end: end)
        span = (span?.lowerBound ?? time)..<max(span?.upperBound ?? end, end)
    }

    /// Nothing more comes.
    mutating func end() { hasEnded = true }

    /// What is shown at a time for which ``needsMore(for:)`` is false; `nil` before the first frame and behind the last.
    func frame(at time: MediaTime) -> Frame? {
        guard let current, !hasEnded || next != nil || time + rounding < current.end else { return nil }
        return current.frame
    }
}
