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
    @inlinable package var length: Self { Self(nanoseconds: Swift.abs(nanoseconds)) }
}
