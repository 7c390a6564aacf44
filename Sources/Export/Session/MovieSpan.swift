import GStreamer

/// The part of the input's time that becomes the movie, in nanoseconds.
struct MovieSpan: Sendable {
    /// The input's time that becomes zero.
    var origin: Nanoseconds
    /// Where it ends in the input's time; `nil`: with the input.
    var end: Nanoseconds?
    var isTrimmed: Bool
    /// What is expected, for the progress.
    var length: Nanoseconds?
    var horizon: Horizon

    init(_ range: TimeRange?, tracks: [OpenedTrack], duration: Nanoseconds?) {
        // Some containers' times begin anywhere; a player shows the first of them as zero.
        let begin = max(0, tracks.compactMap(\.first.movieTime).min() ?? 0)
        origin = begin + (range?.start ?? 0)
        end = range?.end.map { begin + $0 }
        isTrimmed = range != nil
        horizon = Horizon(end: duration.map { begin + $0 })
        let whole = duration.map { max(0, $0 - (range?.start ?? 0)) }
        let wanted = range?.end.map { max(0, $0 - (range?.start ?? 0)) }
        length = [whole, wanted].compactMap(\.self).min()
    }
}
