/// A time or a span of time in nanoseconds.
public typealias Nanoseconds = Int64

extension Nanoseconds {
    /// One second.
    package static let second: Nanoseconds = 1_000_000_000
    /// One thousandth of a second.
    package static let millisecond: Nanoseconds = 1_000_000
    /// What a time that a file or a device tells is cut to, about 73 years either way: damaged ones tell more than that, and
    /// sums of a few such times must not run over.
    package static let longest: Nanoseconds = .max / 4

    /// Rounded to the nearest nanosecond; what no number can hold, such as infinity, becomes the nearest that can.
    public init(seconds: Double) {
        let nanoseconds = (seconds * 1e9).rounded()
        if let exact = Nanoseconds(exactly: nanoseconds) { self = exact } else { self = nanoseconds < 0 ? .min : .max }
    }

    /// The same in seconds.
    public var seconds: Double { Double(self) / 1e9 }
}
