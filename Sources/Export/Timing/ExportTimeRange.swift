import GStreamer

/// The part of the input's time that becomes the movie.
struct ExportTimeRange: Sendable {
    /// The input's time that becomes zero.
    var origin: MediaTime
    /// Where it ends in the input's time; `nil`: with the input.
    var end: MediaTime?
    var isTrimmed: Bool
    /// Whether another file goes on at the end.
    var isContinued: Bool
    /// What is expected, for the progress.
    var length: MediaTime?
    /// The input's time that players show as zero.
    let begin: MediaTime
    /// Which of the input's times are believed.
    let sanitizer: TimestampSanitizer

    /// - Parameter firstPacket: when the first one begins, where the times that are asked for count from there.
    init(
        _ range: TimeRange?, tracks: [OpenedTrack], firstPacket: MediaTime? = nil, duration: MediaTime?,
        isContinued: Bool = false
    ) {
        // Some containers' times begin anywhere; a player shows the first of them as zero.
        let first = max(
            .zero,
            firstPacket
                ?? tracks.compactMap { track in
                    (track.first.movieTime ?? track.first.decodeTime).map { $0 - track.track.delay }
                }.min() ?? .zero)
        let begin = min(first, tracks.compactMap(\.leading).min() ?? first)
        self.begin = begin
        sanitizer = TimestampSanitizer(begin: begin, duration: duration)
        origin = begin + (range?.start ?? .zero)
        end = range?.end.map { begin + $0 }
        (isTrimmed, self.isContinued) = (range != nil, isContinued)
        length = Self.length(range, duration: duration)
    }

    /// How long the part of a movie is that lasts so long; `nil` where nothing tells.
    static func length(_ range: TimeRange?, duration: MediaTime?) -> MediaTime? {
        let start = range?.start ?? .zero
        return [duration, range?.end].compactMap { $0.map { max(.zero, $0 - start) } }.min()
    }
}
