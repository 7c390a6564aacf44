/// Nanoseconds, in which Matroska's times are counted before they become ticks of a segment.
enum MatroskaTime {
    static let second: Int64 = 1_000_000_000
    static let millisecond: Int64 = 1_000_000
}
