import ArgumentParser

/// How long a part is, as people type it: a duration (`10m`, `1h`, `90`), or a size with a capital or a B (`500M`, `2GiB`).
struct PartLength: Equatable, Sendable, ExpressibleByArgument {
    var seconds: Double?
    var bytes: Int64?

    /// - Returns: `nil` unless the whole text is either.
    init?(argument: String) {
        if let span = TimeSpan(argument) {
            seconds = span.seconds
        } else if let count = ByteCount(argument) {
            bytes = count.bytes
        } else {
            return nil
        }
    }

    /// A file of less would be more work than movie.
    var isTooShort: Bool { seconds.map { $0 < 1 } ?? bytes.map { $0 < 1_000_000 } ?? false }
}
