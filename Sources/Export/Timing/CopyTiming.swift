import Encoding
import GStreamer
import Workarounds

/// The times of encoded samples that are handed on as they are, moved so that none is negative.
struct CopyTiming: Sendable {
    struct Times: Sendable, Equatable {
        var presentation: MediaTime?
        var decode: MediaTime?
        var duration: MediaTime?
    }

    enum Answer: Sendable, Equatable {
        case drop
        /// Behind those that wait, if there are any.
        case write(Times)
        /// Waits: it is shown behind the part's end, and written only if a frame before that needs it.
        case wait(Times)
        /// No later sample is wanted.
        case end
    }

    private let origin: MediaTime
    private let range: Range<MediaTime>?
    /// By how much all samples are later than they are shown: the file's edit list takes that away again, or all tracks are as late.
    private let shift: MediaTime
    private let isReordered: Bool
    private let isContinued: Bool
    private let isTrimmed: Bool
    private let hasDecodeTimes: Bool
    /// Whether frames whose length nobody tells get one: QuickTime's muxer makes it of the next one's time, and lets the last last
    /// for no time at all, so that no player shows it. Matroska's (1.22) would write it beside each frame.
    private let fillsLengths: Bool
    /// How long each frame lasts, where the stream says neither when a frame is shown nor how many there are a second; nil elsewhere.
    private let frameLength: MediaTime?
    private var taken = 0
    private var rhythm = PacketRhythm()
    /// When the frame is decoded that comes last, and when the one before it.
    private var (newest, second): (MediaTime?, MediaTime?)
    /// Of frames in the order of decoding, those that are shown before the part's end can come after ones that are shown behind it, and need them.
    private var order: DecodingOrder?
    private var waiting: [(begin: MediaTime, duration: MediaTime, isGuess: Bool)] = []
    /// How many frames were written that are shown behind the part's end.
    private(set) var lateCount = 0
    /// Where the last packet ends in the input: where one without a time begins.
    private var follows: MediaTime?
    /// The last frame, or the last field, that said when it is shown and when it is decoded.
    private var timed: (presentation: MediaTime, decode: MediaTime)?
    private(set) var count = 0
    /// When the last sample ends that was written.
    var end: MediaTime { max(toldEnd, latest + (isLastGuessed ? lastGap ?? .zero : .zero)) }
    /// Likewise, of those whose length is told.
    private var toldEnd: MediaTime = .zero
    /// Whether nobody tells how long the frame lasts that is shown last.
    private var isLastGuessed = false
    /// When the sample begins that is shown last.
    private(set) var latest: MediaTime = .zero
    /// When the sample begins that is shown first.
    private(set) var earliest: MediaTime?

    /// A camera's last frame lasts a tick, of its clock or its reader's, where nobody knew how long it would.
    private static let shortestFrame: MediaTime = 2 * .millisecond

    /// A year: longer than anything is shown.
    private static let longest: MediaTime = 365 * 86_400 * .second

    /// How many frames can come before one that is shown before them: sixteen, as H.264 and HEVC have it, of two fields each.
    private static let reordering = 32

    /// - Parameters:
    ///   - isContinued: whether another file goes on at the end, so that what straddles it is on one side of it only.
    ///   - isReordered: whether the samples are frames, which may come in another order than they are shown.
    ///   - frameLength: of each frame, where the stream tells no times and none is shown before one that is decoded earlier.
    ///   - first: the earliest time of the track's first sample, which negative times are moved from.
    ///   - keepsEarly: whether what only primes a decoder is kept; where the container has no edit list it is not.
    ///   - isFromStart: whether a part of audio begins with the input, and so with what primes its decoder.
    init(
        origin: MediaTime, end: MediaTime?, isTrimmed: Bool, isContinued: Bool = false, first: MediaTime?,
        keepsEarly: Bool, isFromStart: Bool = false,
        delay: MediaTime, isReordered: Bool = false, frameLength: MediaTime? = nil
    ) {
        (self.origin, self.frameLength, self.isContinued) = (origin, frameLength, isContinued)
        (self.isReordered, self.isTrimmed) = (isReordered, isTrimmed)
        // The first ones of a part would be negative, which no muxer takes; they are made anew from the times of showing.
        hasDecodeTimes = !(isTrimmed && isReordered)
        let early = min(.zero, (first ?? origin) - origin)
        let isPrimed = isTrimmed && isFromStart && keepsEarly && !isReordered
        range =
            isTrimmed
            ? (isPrimed ? early : .zero)..<max(.zero, (end ?? .max / 2) - origin)
            : keepsEarly ? nil : .zero..<(.max / 2)
        order = isReordered && isTrimmed && end != nil ? DecodingOrder(depth: Self.reordering) : nil
        fillsLengths = keepsEarly
        shift = (range == nil || isPrimed ? -early : .zero) + delay
    }

    mutating func take(presentationTime: MediaTime?, decodeTime: MediaTime?, duration told: MediaTime?) -> Answer {
        // asfdemux (1.22) makes centuries of a length that the file does not say.
        let duration = told.flatMap { $0 < Self.longest ? $0 : nil }
        if let frameLength {
            let time = origin + taken * frameLength
            taken += 1
            return place(presentationTime: time, decodeTime: time, duration: frameLength)
        }
        return place(presentationTime: presentationTime, decodeTime: decodeTime, duration: duration)
    }

    private mutating func place(presentationTime: MediaTime?, decodeTime: MediaTime?, duration: MediaTime?) -> Answer {
        // As all have none of a transport stream without a clock.
        let isUntimed = presentationTime == nil && decodeTime == nil && !isReordered && duration != nil
        let presentationTime = isUntimed ? follows ?? origin : presentationTime ?? secondField(decodeTime)
        if let presentationTime, let decodeTime { timed = (presentationTime, decodeTime) }
        follows = presentationTime.map { $0 + (duration ?? .zero) } ?? follows
        let own = isReordered ? decodeTime ?? presentationTime : presentationTime
        let guess = !isReordered ? rhythm.duration(of: own) : fillsLengths ? frameLength(at: own) : nil
        // A frame that lasts for no time, as a phone's last one, is none that players show.
        let isTold = !isReordered || duration.map { $0 > Self.shortestFrame } ?? false
        let isGuess = isReordered && !isTold && guess != nil
        let duration = isTold ? duration ?? guess : guess ?? duration
        var waits = false
        if let range, let time = presentationTime.map({ $0 - origin }) {
            switch order?.decide(time, border: range.upperBound) {
            case .over: return .end
            case .wait: waits = true
            case nil where time >= range.upperBound - (isContinued ? (duration ?? .zero) / 2 : .zero): return .end
            case .pass, nil: break
            }
            // What straddles the beginning belongs to the side on which most of it lies, if the movie has no time before that.
            let isEarly = time < range.lowerBound - (duration ?? .zero) / 2
            let isOver = isTrimmed && time + (duration ?? .zero) <= range.lowerBound
            if isEarly, isReordered || isOver || time + shift < -.millisecond { return .drop }
        }
        func moved(_ time: MediaTime?) -> MediaTime? { time.map { max(.zero, $0 - origin + shift) } }
        // Parsers (1.22) take packets that are decoded at one time for parts of one, and give the later ones times of their own.
        let isEarly = !fillsLengths && presentationTime != nil && decodeTime.map { $0 < origin } ?? false
        let times = Times(
            presentation: moved(presentationTime), decode: hasDecodeTimes && !isEarly ? moved(decodeTime) : nil,
            duration: duration)
        if waits, let presentationTime {
            waiting.append((presentationTime - origin, duration ?? .zero, isGuess))
            return .wait(times)
        }
        // Of Video for Windows in Matroska it is known only when a frame is decoded, and so it is shown then.
        note((presentationTime ?? decodeTime).map { $0 - origin }, duration ?? .zero, isGuess)
        return .write(times)
    }

    /// As long as the one before it, which is what the movie's index says of a last frame whose length nobody tells: times of frames may be as
    /// uneven as a screen's.
    private mutating func frameLength(at time: MediaTime?) -> MediaTime? {
        if let time {
            if time > newest ?? .min { (newest, second) = (time, newest) } else { second = max(second ?? time, time) }
        }
        return lastGap
    }

    private var lastGap: MediaTime? { newest.flatMap { newest in second.map { newest - $0 } } }

    /// A sample is written, behind those that wait.
    private mutating func note(_ begin: MediaTime?, _ duration: MediaTime, _ isGuess: Bool) {
        let limit = range?.upperBound ?? .max
        if let begin { order?.pass(begin, lasting: duration) }
        for (begin, duration, isGuess) in waiting.map({ ($0.begin, $0.duration, $0.isGuess) })
            + [(begin, duration, isGuess)]
        {
            count += 1
            if let begin {
                if begin >= latest { isLastGuessed = isGuess }
                (earliest, latest) = (min(earliest ?? begin, begin), max(latest, begin))
                if begin >= limit { lateCount += 1 }
            }
            toldEnd = max(toldEnd, (begin ?? toldEnd) + (isGuess ? .zero : duration))
        }
        waiting = []
    }

    /// When the second field of a frame is shown: h264parse (1.22) stamps the first one only, and a muxer would show the other when it is decoded.
    private func secondField(_ decodeTime: MediaTime?) -> MediaTime? {
        guard isReordered, let timed, let decodeTime, decodeTime > timed.decode else { return nil }
        return timed.presentation + (decodeTime - timed.decode)
    }
}
