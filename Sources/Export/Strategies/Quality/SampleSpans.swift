import GStreamer

/// Which parts of an input stand for the whole of it.
enum SampleSpans {
    /// Inputs up to this long are taken whole.
    static let short = 10 * MediaTime.second
    /// Of one part: long enough for an encoder's look-ahead to have its effect.
    static let length = 2 * MediaTime.second
    /// One part for so much of the input, but four at least and twelve at most.
    private static let distance = 300 * MediaTime.second

    /// Parts that lie evenly in a span of the input, in their order.
    ///
    /// - Parameter end: `nil` where nobody knows how long the input is; the beginning then stands for it.
    static func choose(from start: MediaTime, to end: MediaTime?) -> [Range<MediaTime>] {
        guard let end, end > start else { return [start..<start + short] }
        let whole = end - start
        guard whole > short else { return [start..<end] }
        let count = min(12, max(4, Int(whole / distance)))
        return (0..<count).map { part in
            let middle = start + whole * (2 * part + 1) / (2 * count)
            return middle - length / 2..<middle + length / 2
        }
    }
}
