import MediaTypes

/// The moments of a source that a timelapse shows: one for each of its frames, evenly apart.
struct TimelapseGrid: Sendable, Hashable {
    /// Seconds of the source from one frame to the next.
    let step: Double
    /// Frames a second of the timelapse.
    let rate: Fraction

    /// - Parameters:
    ///   - speed: how many times as fast as the source; above 0.
    ///   - rate: frames a second of the timelapse.
    init(speed: Double, rate: Fraction) {
        step = speed * Double(rate.denominator) / Double(max(1, rate.numerator))
        self.rate = rate
    }

    /// When the frame of a number is due in the source.
    func time(_ slot: Int) -> MediaTime { MediaTime(seconds: Double(slot) * step) }

    /// The first frame that is due at a time of the source or later, up to what rounding costs.
    func slot(from time: MediaTime) -> Int { max(0, Int(((time - Self.rounding).seconds / step).rounded(.up))) }

    /// The last frame that is due by a time of the source, up to what rounding costs; nil before the first.
    func slot(by time: MediaTime) -> Int? {
        let slot = Int(((time + Self.rounding).seconds / step).rounded(.down))
        return slot >= 0 ? slot : nil
    }

    /// How many frames are due within a time.
    func count(in duration: MediaTime) -> Int { slot(from: duration) }

    /// How far times may be off that are told in nanoseconds.
    private static let rounding: MediaTime = .microsecond
}
