import GStreamer

/// Which decoded frames are written, and when each is shown: the part that was asked for, at the input's own times, or faster or slower, or
/// at a constant rate.
///
/// It holds the latest frame back where the rate is constant, as only the next one tells how long it is shown.
struct FrameTiming<Frame: Sendable>: Sendable {
    struct Timed: Sendable {
        var frame: Frame
        var time: MediaTime
        var duration: MediaTime
    }

    /// One frame once, or in each of many slots: a gap may be of any length, and holds no memory.
    struct Run: Sendable, RandomAccessCollection {
        fileprivate var first: Timed?
        /// Of a constant rate, where it is repeated.
        fileprivate var slots: (range: Range<Int>, rate: Fraction)?

        var startIndex: Int { 0 }
        var endIndex: Int { slots?.range.count ?? (first == nil ? 0 : 1) }

        subscript(position: Int) -> Timed {
            guard var timed = first else { preconditionFailure("There is no frame.") }
            guard let (range, rate) = slots else { return timed }
            let slot = range.lowerBound + position
            timed.time = MediaTime(samples: slot, of: rate)
            timed.duration = MediaTime(samples: slot + 1, of: rate) - timed.time
            return timed
        }
    }

    /// What comes of a frame.
    struct Answer: Sendable {
        var written = Run()
        /// Whether no later frame is wanted.
        var isComplete = false
    }

    /// The input's time that becomes zero.
    private let origin: MediaTime
    private let limit: MediaTime?
    /// Where the frames end: with the part, or somewhat later where its first frame is.
    private var stop: MediaTime?
    private let rate: Fraction?
    /// How many times as fast as the input.
    private let speed: Double
    /// How long a frame is shown that does not say so.
    private let usual: MediaTime
    /// Whether the movie begins within the input, and not where that does.
    private let isTrimmed: Bool
    private let isContinued: Bool
    private var held: (frame: Frame, slot: Int, end: MediaTime)?
    private var hasBegun = false
    private var next = 0
    private var last: MediaTime?
    private(set) var written = 0
    /// Where the last frame that was written ends in the movie.
    private(set) var end: MediaTime = .zero
    /// Where the last frame that was written begins in the movie.
    private(set) var latest: MediaTime = .zero
    /// The longest time from one frame to the next.
    private(set) var longest: MediaTime = .zero

    /// How far the input's times are rounded; those of a 90 kHz clock by 11 µs.
    private let rounding: MediaTime

    /// - Parameters:
    ///   - isContinued: whether another part begins where this one ends, and its first frame does not move that.
    ///   - tick: what the input's times are multiples of, as ``InputProperties/tick``.
    ///   - rate: frames a second, or `nil` for the input's own times.
    ///   - usualRate: what the input calls its rate.
    init(
        origin: MediaTime, end: MediaTime?, isTrimmed: Bool, isContinued: Bool = false, tick: MediaTime = .zero,
        rate: Fraction?, usualRate: Fraction?, speed: Double = 1
    ) {
        self.speed = speed
        (self.origin, self.limit, self.isTrimmed, self.rate) = (origin, end, isTrimmed, rate)
        self.isContinued = isContinued
        stop = end
        // What lies in the middle between two ticks is rounded up.
        rounding = max(20 * .microsecond, tick / 2 - .microsecond)
        let usualRate = usualRate.map(\.doubleValue) ?? 0
        usual = usualRate > 0 ? MediaTime(seconds: 1 / usualRate) : 40 * .millisecond
    }

    /// - Parameter time: in the input; `nil` where the stream has none, which then follows the last one.
    mutating func take(_ frame: Frame, time: MediaTime?, duration: MediaTime?) -> Answer {
        var duration = duration.flatMap { $0 > .zero ? $0 : nil } ?? usual
        var time = time ?? last.map { $0 + usual } ?? origin
        // A stream that goes back, as some broken ones do, would be refused by the muxer.
        if let last, time <= last { time = last + .microsecond }
        last = time
        if time < origin - rounding { return Answer() }
        // The part's length counts from its first frame, as with ffmpeg's -ss and -t: a second at 25 frames has 25 of
        // them, also where it begins between two.
        if isTrimmed, !isContinued, !hasBegun, time < origin + duration {
            stop = limit.map { $0 + max(.zero, time - origin) }
        }
        hasBegun = true
        if let stop, time >= stop - rounding { return Answer(written: flush(), isComplete: true) }
        var shown = max(.zero, time - origin)
        // Of a part, the first frame is there from the beginning, as the one before it would be.
        if isTrimmed, written == 0, held == nil, shown < duration { shown = .zero }
        (shown, duration) = (shown.shown(atSpeed: speed), duration.shown(atSpeed: speed))
        guard let rate else {
            if written > 0 { longest = max(longest, shown - latest) }
            latest = shown
            written += 1
            end = max(end, shown + duration)
            return Answer(written: Run(first: Timed(frame: frame, time: shown, duration: duration)))
        }
        let slot = Int((shown.seconds * rate.doubleValue).rounded())
        let answer = Answer(written: fill(to: slot, rate))
        held = (frame, slot, shown + duration)
        return answer
    }

    /// What is still held back when the input ends.
    mutating func flush() -> Run {
        guard let rate, let held else { return Run() }
        let end = limit.map { min(held.end, ($0 - origin).shown(atSpeed: speed)) } ?? held.end
        // What begins in the last half of a place is in none, unless it is all there is.
        let least = written == 0 ? held.slot + 1 : 0
        let result = fill(to: max(least, Int((end.seconds * rate.doubleValue).rounded())), rate)
        self.held = nil
        return result
    }

    /// The held frame for every place before the stated one.
    private mutating func fill(to slot: Int, _ rate: Fraction) -> Run {
        guard let held, slot > next else { return Run() }
        if written == 0 { next = min(held.slot, slot) }
        let result = Run(
            first: Timed(frame: held.frame, time: .zero, duration: .zero), slots: (next..<max(next, slot), rate))
        next = max(next, slot)
        written += result.count
        end = MediaTime(samples: next, of: rate)
        latest = result.last?.time ?? latest
        return result
    }
}

extension Fraction {
    /// A rate so many times as fast, to a thousandth.
    func multiplied(by speed: Double) -> Fraction {
        guard speed != 1 else { return self }
        return Fraction(numerator * Int((speed * 1000).rounded()), denominator * 1000).reduced
    }
}
