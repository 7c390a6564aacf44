import MediaTypes

/// The moments of a source that a timelapse shows: one for each of its frames, evenly apart where its speed is even.
struct TimelapseGrid: Sendable, Hashable {
    let curve: SpeedCurve
    /// Frames a second of the timelapse.
    let rate: Fraction

    /// - Parameter rate: frames a second of the timelapse.
    init(_ curve: SpeedCurve, rate: Fraction) { (self.curve, self.rate) = (curve, rate) }

    /// - Parameters:
    ///   - speed: how many times as fast as the source; above 0.
    ///   - rate: frames a second of the timelapse.
    init(speed: Double, rate: Fraction) { self.init(SpeedCurve(speed), rate: rate) }

    /// When the frame of a number is due in the source.
    func time(_ slot: Int) -> MediaTime {
        MediaTime(seconds: curve.source(at: Double(slot) * Double(rate.denominator) / rate.framesPerDenominator))
    }

    /// Seconds of the source from a frame to the next.
    func step(from slot: Int) -> Double { (time(slot + 1) - time(slot)).seconds }

    /// The first frame that is due at a time of the source or later, up to what rounding costs.
    func slot(from time: MediaTime) -> Int { max(0, Int(place(time - Self.rounding).rounded(.up))) }

    /// The last frame that is due by a time of the source, up to what rounding costs; nil before the first.
    func slot(by time: MediaTime) -> Int? {
        let slot = Int(place(time + Self.rounding).rounded(.down))
        return slot >= 0 ? slot : nil
    }

    /// How many frames are due within a time.
    func count(in duration: MediaTime) -> Int { slot(from: duration) }

    /// When a moment of the source is shown.
    func shown(at time: MediaTime) -> MediaTime { MediaTime(seconds: curve.shown(at: time.seconds)) }

    private func place(_ time: MediaTime) -> Double {
        curve.shown(at: time.seconds) * rate.framesPerDenominator / Double(rate.denominator)
    }

    /// How far times may be off that are told in nanoseconds.
    private static let rounding: MediaTime = .microsecond
}

extension Fraction {
    /// The numerator, of which there is one at least.
    fileprivate var framesPerDenominator: Double { Double(max(1, numerator)) }
}
