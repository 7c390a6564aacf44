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
        /// What is shown when a part begins, until the first frame does that begins in it.
        fileprivate var early: Timed?
        fileprivate var first: Timed?
        /// Of a constant rate, where it is repeated.
        fileprivate var slots: (range: Range<Int>, rate: Fraction)?

        var startIndex: Int { 0 }
        var endIndex: Int { (early == nil ? 0 : 1) + (slots?.range.count ?? (first == nil ? 0 : 1)) }

        subscript(position: Int) -> Timed {
            if let early, position == 0 { return early }
            guard var timed = first else { preconditionFailure("There is no frame.") }
            guard let (range, rate) = slots else { return timed }
            let slot = range.lowerBound + position - (early == nil ? 0 : 1)
            timed.time = MediaTime(samples: slot, of: rate)
            timed.duration = MediaTime(samples: slot + 1, of: rate) - timed.time
            return timed
        }

        fileprivate mutating func append(_ other: Run) {
            if other.first != nil { (first, slots) = (other.first, other.slots) }
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
    /// Of a part, the last frame that begins before it, when it does so in the input, and when it ends as far as that is told.
    private var early: (frame: Frame, time: MediaTime, end: MediaTime)?
    /// Whether a frame of the part has come.
    private(set) var hasBegun = false
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
    /// A frame that lasts longer follows no rate, as those of screen recordings: it is shown in a part that begins or ends within it, for as
    /// long as it is there.
    private let longFrame = 100 * MediaTime.millisecond

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
        if time < origin - rounding {
            if isTrimmed { early = (frame, time, time + duration) }
            return Answer()
        }
        var answer = Answer(written: Run(early: begin(before: time)))
        // The part's length counts from its first frame, as with ffmpeg's -ss and -t: a second at 25 frames has 25 of
        // them, also where it begins between two.
        if isTrimmed, !isContinued, !hasBegun, written == 0, held == nil, time < origin + duration {
            stop = limit.map { $0 + max(.zero, time - origin) }
        }
        hasBegun = true
        if let stop, time >= stop - rounding {
            answer.written.append(flush())
            answer.isComplete = true
            return answer
        }
        if let stop, time + duration > stop + longFrame { duration = stop - time }
        var shown = max(.zero, time - origin)
        // Of a part, the first frame is there from the beginning, as the one before it would be.
        if isTrimmed, written == 0, held == nil, shown < duration { shown = .zero }
        (shown, duration) = (shown.shown(atSpeed: speed), duration.shown(atSpeed: speed))
        guard let rate else {
            if written > 0 { longest = max(longest, shown - latest) }
            latest = shown
            written += 1
            end = max(end, shown + duration)
            answer.written.first = Timed(frame: frame, time: shown, duration: duration)
            return answer
        }
        let slot = Int((shown.seconds * rate.doubleValue).rounded())
        answer.written.append(fill(to: slot, rate))
        held = (frame, slot, shown + duration)
        return answer
    }

    /// Shows a long frame that is under way when the part begins, until the next one.
    ///
    /// - Parameter next: when that begins in the input; nil: none comes.
    /// - Returns: nil where there is no such frame, and where the rate is constant, which holds it back.
    private mutating func begin(before next: MediaTime?) -> Timed? {
        defer { early = nil }
        guard let early, written == 0, held == nil else { return nil }
        let end = min(next ?? early.end, stop ?? .max)
        guard next.map({ $0 - early.time > longFrame }) ?? true, end - origin > rounding else { return nil }
        let duration = (end - origin).shown(atSpeed: speed)
        guard rate == nil else {
            held = (early.frame, 0, duration)
            return nil
        }
        (written, self.end) = (1, duration)
        return Timed(frame: early.frame, time: .zero, duration: duration)
    }

    /// What is still held back when the input ends.
    mutating func flush() -> Run {
        var run = Run(early: begin(before: nil))
        run.append(flushHeld())
        return run
    }

    private mutating func flushHeld() -> Run {
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
