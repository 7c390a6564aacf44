import GStreamer

/// When the frames of a GIF are shown: its delays are hundredths of a second.
///
/// Each time is rounded by itself, so that the whole is as long as the movie.
struct AnimationTiming: Sendable {
    /// Players show frames that say to be shown for less than two hundredths of a second for ten.
    static let shortest = 2
    /// Frames a second.
    static let fastest = 100 / Double(shortest)

    private var begin: MediaTime?
    /// When the latest frame is shown, in hundredths of a second after the first.
    private(set) var latest = 0
    private var end = 0
    /// Frames that come too soon after the one before, and are not shown.
    private(set) var omitted = 0

    /// Every second frame a second or fewer, as evenly as they come; nil where all can be shown.
    static func reduced(_ rate: Fraction) -> Fraction? {
        guard rate.doubleValue > fastest else { return nil }
        let divisor = Int((rate.doubleValue / fastest).rounded(.up))
        return Fraction(rate.numerator, rate.denominator * divisor)
    }

    /// - Returns: when it is shown, in hundredths of a second after the first; nil where it is not.
    mutating func take(at time: MediaTime, lasting duration: MediaTime?) -> Int? {
        let first = begin ?? time
        let place = Self.hundredths(time - first)
        end = max(end, Self.hundredths(time + max(.zero, duration ?? .zero) - first))
        guard begin == nil || place >= latest + Self.shortest else {
            omitted += 1
            return nil
        }
        (begin, latest) = (first, place)
        return place
    }

    /// How long the last frame is shown, in hundredths of a second.
    var lastDelay: Int { max(Self.shortest, end - latest) }

    private static func hundredths(_ time: MediaTime) -> Int { Int((time.seconds * 100).rounded()) }
}
