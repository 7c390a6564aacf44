import GStreamer

/// Audio of a track that is left out, as the file has other audio for the same time.
struct OverlappingAudio: Sendable, Hashable {
    /// Where the first of it would have been in the movie.
    var begin: MediaTime
    /// Of all of it.
    var length: MediaTime

    /// As little may be rounded times.
    private static let tolerance: MediaTime = 100 * .millisecond

    /// A sentence for people; `nil` for what may be rounding.
    ///
    /// - Parameter track: its number, from 1.
    func note(track: Int) -> String? {
        guard length >= Self.tolerance else { return nil }
        let (seconds, from) = (length.secondsToHundredths, begin.secondsToHundredths)
        return
            "\(seconds) s of audio track \(track), from \(from) s on, were left out: the input has other audio for the same time."
    }
}
