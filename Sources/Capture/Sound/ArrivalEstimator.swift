/// Estimates when each sample of a microphone was really taken, from noisy arrival stamps.
///
/// A sound server stamps a buffer when it gets round to it: the stamps scatter by 2 to 20 ms, but their mean over many
/// buffers follows the microphone's own crystal. So the stamps are only the input of a filter, never the times
/// themselves. It is a Kalman filter of two values, a time and a skew: at first every stamp counts much, so that a clock's
/// rate is found within seconds, then less and less, down to a time constant of eight seconds.
///
/// Times are seconds of running time; positions are counted in samples of the source since the estimator began.
struct ArrivalEstimator: Sendable {
    /// Samples a second that the source promises.
    let nominalRate: Double
    /// The position up to which stamps have been followed, and its estimated time.
    private(set) var anchor: (position: Double, time: Double)
    /// How much longer than promised one sample lasts, as a ratio: the opposite of ``drift``.
    private var skew = 0.0
    /// How far time and skew may be off, squared, and how the two hang together.
    private var uncertainty: (time: Double, both: Double, skew: Double)

    /// The power of the stamps' scatter: 5 ms that are as good as independent every 20 ms. Real servers scatter by 1 to
    /// 3 ms (PulseAudio) and 5 to 10 ms for tenths of a second (pipewire-pulse).
    private static let scatter = 0.005 * 0.005 * 0.02
    /// How fast a crystal's rate may wander. With ``scatter`` it sets the final time constant, (scatter / wander)^¼ = 8 s:
    /// 20 ms that are off for a tenth of a second then move the estimate by 0.4 ms.
    private static let wander = scatter / (8 * 8 * 8 * 8)
    /// How far off a clock may be expected: real ones keep 0.01 %, made ones are 0.5 % off.
    private static let expectedSkew = 0.003
    /// A stamp further off than this counts as if it were this far off: one late wake-up is no clock.
    private static let clip = 0.02
    /// Late ones count for less: a busy machine stamps late for a second on end, and never early.
    private static let lateClip = 0.005

    /// Begins with the median of the first stamps, each reduced to the time of the first position, and follows them all.
    init(nominalRate: Double, firstStamps: [(position: Int, time: Double)]) {
        self.nominalRate = nominalRate
        let first = Double(firstStamps.first?.position ?? 0)
        let offsets = firstStamps.map { $0.time - (Double($0.position) - first) / nominalRate }.sorted()
        anchor = (first, offsets.isEmpty ? 0 : offsets[offsets.count / 2])
        // A median over a second is off by 2 ms for a clock that is 0.5 % off, by more where a burst fills half of it.
        uncertainty = (0.006 * 0.006, 0, Self.expectedSkew * Self.expectedSkew)
        for stamp in firstStamps { observe(position: stamp.position, time: stamp.time) }
    }

    /// The time at which the sample at a position was taken.
    func time(at position: Double) -> Double {
        anchor.time + (position - anchor.position) / nominalRate * (1 + skew)
    }

    /// How much faster than promised the microphone runs, as a ratio; 0.005 is half a per cent.
    var drift: Double { 1 / (1 + skew) - 1 }

    /// The drift as far as the stamps bear it out: nothing while it lies within what their scatter alone would make of a
    /// true clock, all of it once it stands well above that.
    ///
    /// Followed as it is, the estimate of the first seconds would bend the pitch of a true microphone by 0.3 %.
    var trustedDrift: Double {
        let scatter = 4 * max(0, uncertainty.skew)
        return skew * skew > scatter ? drift * (1 - scatter / (skew * skew)) : 0
    }

    /// Follows one stamp: the time of the buffer whose first sample is at the position.
    mutating func observe(position: Int, time stamp: Double) {
        let step = (Double(position) - anchor.position) / nominalRate
        guard step > 0 else { return }
        anchor = (Double(position), time(at: Double(position)))
        uncertainty.time += step * (2 * uncertainty.both + step * uncertainty.skew)
        uncertainty.both += step * uncertainty.skew
        uncertainty.skew += step * Self.wander
        // Divided by the step, so that small and large buffers are followed alike; but one stamp after a pause is one stamp.
        let total = uncertainty.time + Self.scatter / min(step, 0.1)
        let (timeGain, skewGain) = (uncertainty.time / total, uncertainty.both / total)
        let error = min(max(stamp - anchor.time, -Self.clip), Self.lateClip)
        anchor.time += timeGain * error
        // No crystal is off by more than 2 %: a stamp that says so is an accident of scheduling.
        skew = min(max(skew + skewGain * error, -0.02), 0.02)
        uncertainty.skew -= skewGain * uncertainty.both
        uncertainty.both -= skewGain * uncertainty.time
        uncertainty.time -= timeGain * uncertainty.time
    }

    /// Moves the line to a new time, after sound was lost or doubled.
    mutating func shift(by seconds: Double) { anchor.time += seconds }
}
