import GStreamer

/// Silence that fills the gaps of an audio track, so that all behind them stays in step.
struct FilledSilence: Sendable, Hashable {
    /// Where the first of it begins in the movie.
    var begin: MediaTime
    /// Of all of it.
    var length: MediaTime
    /// Whether at least a packet is missing in one place.
    var isGap = false

    /// As little may be a clock that runs away from its times, where no packet is missing.
    private static let tolerance: MediaTime = 100 * .millisecond

    /// A sentence for people; `nil` for what may be rounding.
    ///
    /// - Parameter track: its number, from 1.
    func note(track: Int) -> String? {
        guard isGap || length >= Self.tolerance else { return nil }
        let (seconds, from) = (length.secondsToHundredths, begin.secondsToHundredths)
        return
            "\(seconds) s of audio track \(track), from \(from) s on, are silence: the input has nothing there, or nothing that can be decoded."
    }
}
