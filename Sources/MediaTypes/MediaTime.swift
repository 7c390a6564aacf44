/// A time in a movie, a stream or of a clock, or a span of such time; exact to the nanosecond.
///
/// A time and a number cannot be mixed up: times are added to times, and multiplied and divided by whole numbers. Encoded it
/// is a bare number of nanoseconds. What is waited for or set is a `Duration`.
@frozen public struct MediaTime: Sendable, Hashable, Comparable {
    /// All of it, in nanoseconds.
    public var nanoseconds: Int64

    /// - Parameter nanoseconds: all of it.
    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Rounded to the nearest nanosecond, and at most about 73 years either way, so that sums cannot run over: infinity becomes so much, and
    /// what is no number too.
    public init(seconds: Double) {
        let nanoseconds = (seconds * 1e9).rounded()
        self = Self(nanoseconds: Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max)).clamped
    }

    /// How long so many samples or frames last, or where the one of this number begins; cut to whole nanoseconds, and to the longest that
    /// there is.
    ///
    /// - Parameter rate: how many there are in a second; above 0.
    @inlinable package init(samples: Int, rate: Int) {
        // In two parts, as a day of samples in nanoseconds is no 64-bit number.
        let (seconds, rest) = samples.quotientAndRemainder(dividingBy: rate)
        let (whole, isTooLong) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isSumTooLong) = whole.addingReportingOverflow(Int64(rest) * 1_000_000_000 / Int64(rate))
        nanoseconds = isTooLong || isSumTooLong ? (samples < 0 ? .min : .max) : sum
    }

    /// When the frame of this number begins at a constant rate, or how long so many last; the nearest nanosecond.
    package init(samples: Int, of rate: Fraction) {
        self.init(seconds: Double(samples) * Double(rate.denominator) / Double(Swift.max(1, rate.numerator)))
    }

    /// All of it in seconds, as exactly as the number can.
    @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }

    @inlinable public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension MediaTime {
    /// No time, or the beginning.
    @inlinable public static var zero: Self { Self(nanoseconds: 0) }
    /// One second.
    @inlinable package static var second: Self { Self(nanoseconds: 1_000_000_000) }
    /// One thousandth of a second.
    @inlinable package static var millisecond: Self { Self(nanoseconds: 1_000_000) }
    /// One millionth of a second.
    @inlinable package static var microsecond: Self { Self(nanoseconds: 1000) }
    /// One thousandth of a microsecond, the shortest there is.
    @inlinable package static var nanosecond: Self { Self(nanoseconds: 1) }
    /// The latest that there is, about 292 years. Nothing can be added to it.
    @inlinable package static var max: Self { Self(nanoseconds: .max) }
    /// The earliest that there is. Nothing can be taken from it.
    @inlinable package static var min: Self { Self(nanoseconds: .min) }
    /// What a time that a file or a device tells is cut to, about 73 years either way: damaged ones tell more than that, and
    /// sums of a few such times must not run over.
    @inlinable package static var longest: Self { Self(nanoseconds: .max / 4) }
}

extension MediaTime: CustomStringConvertible {
    /// In seconds, such as "1.5 s".
    public var description: String { "\(seconds) s" }

    /// In seconds with two decimals, as sentences have it: "1.50".
    package var secondsToHundredths: String {
        let hundredths = (clamped.length.nanoseconds + 5_000_000) / 10_000_000
        let sign = nanoseconds < 0 && hundredths > 0 ? "-" : ""
        return "\(sign)\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
    }
}

extension MediaTime: Codable {
    public init(from decoder: any Decoder) throws {
        nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }
}

extension MediaTime {
    /// The nearest: to the nanosecond, and no longer than ``longest``, so that sums cannot run over.
    package init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isSumTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        self = Self(nanoseconds: isTooLong || isSumTooLong ? (seconds < 0 ? .min : .max) : sum).clamped
    }
}

extension Duration {
    /// The same, exactly.
    public init(_ time: MediaTime) { self = .nanoseconds(time.nanoseconds) }
}

/// As with whole numbers, what runs over ends the program; times of files and devices are cut to ``longest`` first.
extension MediaTime: AdditiveArithmetic {
    /// The sum.
    @inlinable public static func + (left: Self, right: Self) -> Self {
        Self(nanoseconds: left.nanoseconds + right.nanoseconds)
    }

    /// The difference; negative where the right one is the later or the longer.
    @inlinable public static func - (left: Self, right: Self) -> Self {
        Self(nanoseconds: left.nanoseconds - right.nanoseconds)
    }

    /// The same as far on the other side of zero.
    @inlinable package static prefix func - (time: Self) -> Self { Self(nanoseconds: -time.nanoseconds) }

    /// So many of them in a row.
    @inlinable package static func * (time: Self, count: Int) -> Self {
        Self(nanoseconds: time.nanoseconds * Int64(count))
    }

    /// So many of them in a row.
    @inlinable package static func * (count: Int, time: Self) -> Self { time * count }

    /// How long it takes so many times as fast, rounded to nanoseconds.
    ///
    /// - Parameter speed: above 0.
    package func shown(atSpeed speed: Double) -> Self { speed == 1 ? self : Self(seconds: seconds / speed) }

    /// One of so many parts, cut to whole nanoseconds towards zero.
    @inlinable package static func / (time: Self, count: Int) -> Self {
        Self(nanoseconds: time.nanoseconds / Int64(count))
    }

    /// How many times the right one goes into the left one.
    @inlinable package static func / (left: Self, right: Self) -> Double {
        Double(left.nanoseconds) / Double(right.nanoseconds)
    }

    /// How many whole ones of another go into it, cut towards zero.
    @inlinable package func quotient(dividingBy other: Self) -> Int { Int(nanoseconds / other.nanoseconds) }

    /// The nearest one that ``longest`` allows on either side of zero, so that sums of a few cannot run over.
    @inlinable package var clamped: Self { Swift.min(Swift.max(self, -.longest), .longest) }

    /// How long it is, whichever side of zero it lies on.
    @inlinable package var length: Self { Self(nanoseconds: Int64(clamping: nanoseconds.magnitude)) }
}
