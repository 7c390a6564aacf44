import GStreamer
import MediaTypes

/// Where an inset's time lies in the main movie's.
struct InsetPlace: Sendable, Hashable {
    /// The main movie's time of the inset's beginning; below zero where it began before.
    var offset = MediaTime.zero
    /// How long a second of the inset is in the main movie: cameras' clocks differ by some millionths.
    var scale = 1.0

    func mainTime(of time: MediaTime) -> MediaTime {
        offset + (scale == 1 ? time : MediaTime(seconds: time.seconds * scale))
    }

    func insetTime(of time: MediaTime) -> MediaTime {
        scale == 1 ? time - offset : MediaTime(seconds: (time - offset).seconds / scale)
    }
}

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

/// An inset's audio at the main movie's times, and no longer than that.
struct ShiftedSamples: SampleSource {
    private let samples: any SampleSource
    private let place: InsetPlace
    /// Where the main movie ends, if that is known.
    private let end: MediaTime?

    init(_ samples: any SampleSource, _ place: InsetPlace, until end: MediaTime?) {
        (self.samples, self.place, self.end) = (samples, place, end)
    }

    func pull(within limit: Duration) -> AppSink.Pulled {
        let pulled = samples.pull(within: limit)
        guard case .sample(let sample) = pulled, let time = sample.movieTime else { return pulled }
        let shown = place.mainTime(of: time)
        if let end, shown >= end { return .end }
        return .sample(sample.shifted(by: shown - time))
    }

    func discardSamples() throws(GStreamerError) { try samples.discardSamples() }
}
