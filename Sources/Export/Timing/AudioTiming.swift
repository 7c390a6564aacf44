import GStreamer

/// Makes the decoded audio of a track one row of samples without gaps, beginning with the movie: what is missing is silence,
/// what comes twice or lies outside of the part asked for is cut, to the sample.
struct AudioTiming: Sendable {
    /// What to do with a buffer: so much silence first, then so much of it.
    struct Answer: Sendable, Equatable {
        var silence = 0
        /// Frames of the buffer.
        var taken: Range<Int> = 0..<0
        /// Where the silence begins in the movie, in frames.
        var position = 0
        /// Whether no later audio is wanted.
        var isComplete = false
    }

    /// Frames a second.
    private let rate: Int
    private let origin: MediaTime
    /// Of the movie, in frames.
    private let length: Int?
    /// How many there are by the input's index.
    private let told: Int?
    /// By how much the decoder stamps its audio too early.
    private let late: MediaTime
    private(set) var position = 0
    /// Silence behind the first audio, in frames: how much, where the first of it begins in the movie, and whether whole packets lie in it.
    private var filled = (count: 0, begin: 0, isGap: false)
    /// What was cut among the audio, in frames: how much, and where the first of it would have been in the movie.
    private var cut = (count: 0, begin: 0)
    /// By how many frames the last buffer was later than its place, and how many it had.
    private var last = (delay: 0, count: 0)
    /// Where the buffer before began that had a time, in frames.
    private var lastBegin: Int?

    /// How far a time may be off before something counts as missing: containers round to
    /// milliseconds, and some writers' audio runs a little away from its times.
    private static let tolerance: MediaTime = 40 * .millisecond

    /// Samples more than the index tells that are a decoder's rounding: it cuts its last packet at whole nanoseconds.
    private static let rounding = 1...2

    /// - Parameter told: how long the track is by the input's index.
    init(
        rate: Int, origin: MediaTime, end: MediaTime?, late: MediaTime = .zero, told: MediaTime? = nil
    ) {
        self.told = told.map { Self.frames($0, rate) }
        (self.rate, self.origin, self.late) = (rate, origin, late)
        length = end.map { Self.frames($0 - origin, rate) }
    }

    /// - Parameters:
    ///   - time: in the input; `nil` where the stream has none, which then follows the last one.
    ///   - frames: how many the buffer has.
    mutating func take(time: MediaTime?, frames: Int) -> Answer {
        var answer = Answer(taken: 0..<frames, position: position)
        let told = time.map { Self.frames($0 + late - origin, rate) }
        // What has the time of the audio before it has none of its own.
        let isRepeated = told.map { $0 == lastBegin && $0 >= 0 && frames > 0 } ?? false
        lastBegin = told ?? lastBegin
        if let begin = isRepeated ? nil : told {
            // The very first audio is placed exactly: later only what cannot be rounding is mended.
            let tolerance = position == 0 ? 0 : Self.frames(Self.tolerance, rate)
            if begin > position + tolerance { answer.silence = begin - position }
            // Times that start again are those of other audio, not of the same once more.
            let isRestart = position > 0 && begin >= 0 && position - begin > rate
            if begin < position - tolerance, !isRestart {
                answer.taken = min(frames, position - begin)..<frames
                leaveOut(max(0, begin)..<max(0, begin + answer.taken.lowerBound))
            }
            // A clock that runs away from its times does so a little with each packet.
            let sudden = begin - position - last.delay
            if position > 0, sudden > 0, sudden >= last.count * 3 / 4, sudden >= answer.silence / 2, answer.silence > 0
            {
                filled.isGap = true
            }
            last = (begin - position - answer.silence, frames)
        }
        if let length {
            answer.silence = min(answer.silence, length - position)
            let room = max(0, length - position - answer.silence)
            answer.taken = answer.taken.prefix(room)
            answer.isComplete = position + answer.silence + answer.taken.count >= length
        }
        if let length = self.told {
            let over = position + answer.silence + answer.taken.count - length
            if Self.rounding.contains(over) { answer.taken = answer.taken.dropLast(over) }
        }
        if position > 0, answer.silence > 0 {
            if filled.count == 0 { filled.begin = position }
            filled.count += answer.silence
        }
        position += answer.silence + answer.taken.count
        return answer
    }

    /// Counts what is cut; what comes before the first audio lies outside of the part.
    private mutating func leaveOut(_ frames: Range<Int>) {
        guard position > 0, !frames.isEmpty else { return }
        if cut.count == 0 { cut.begin = frames.lowerBound }
        cut.count += frames.count
    }

    /// What was left out where the input has audio twice for one time; nil where it has not.
    var overlap: OverlappingAudio? {
        guard cut.count > 0 else { return nil }
        return OverlappingAudio(begin: time(of: cut.begin), length: time(of: cut.count))
    }

    /// What was filled in where the input has gaps; nil where it has none.
    var silence: FilledSilence? {
        guard filled.count > 0 else { return nil }
        return FilledSilence(
            begin: time(of: filled.begin), length: time(of: filled.count), isGap: filled.isGap)
    }

    func time(of position: Int) -> MediaTime {
        MediaTime(samples: position, rate: rate)
    }

    private static func frames(_ time: MediaTime, _ rate: Int) -> Int {
        let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Int(seconds) * rate + Int((Double(rest) * Double(rate) / 1e9).rounded())
    }
}
