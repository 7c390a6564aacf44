/// Estimates when each sample of a microphone was really taken, from noisy arrival stamps.
///
/// A sound server stamps a buffer when it gets round to it: the stamps scatter by 2 to 20 ms, but their mean over many
/// buffers follows the microphone's own crystal. So the stamps are only the input of a filter, never the times
/// themselves. The filter is a second-order delay-locked loop (an offset and a rate), as sound systems use it to follow
/// a card's clock: F. Adriaensen, "Using a DLL to filter time", 2005.
///
/// All times are seconds of running time; positions are counted in samples of the source since the estimator began.
struct ArrivalEstimator: Sendable {
    /// Samples a second that the source promises.
    let nominalRate: Double
    /// The estimated time of position zero of the present line, and its position.
    private(set) var anchor: (position: Double, time: Double)
    /// The estimated true seconds of one sample.
    private(set) var period: Double
    /// Seconds for which stamps have been followed.
    private(set) var observed = 0.0

    /// Begins with the median of the first stamps, each reduced to the time of position zero.
    init(nominalRate: Double, firstStamps: [(position: Int, time: Double)]) {
        self.nominalRate = nominalRate
        period = 1 / nominalRate
        let offsets = firstStamps.map { $0.time - Double($0.position) / nominalRate }.sorted()
        let median = offsets.isEmpty ? 0 : offsets[offsets.count / 2]
        anchor = (0, median)
    }

    /// The time at which the sample at a position was taken.
    func time(at position: Double) -> Double { anchor.time + (position - anchor.position) * period }

    /// How much faster than promised the microphone runs, as a ratio; 0.005 is half a per cent.
    var drift: Double { 1 / (nominalRate * period) - 1 }

    /// Follows one stamp: the time of the buffer whose first sample is at the position.
    ///
    /// The loop starts at 0.2 Hz, to find a clock's rate within seconds, and narrows to 0.02 Hz as it settles: then a
    /// stamp that is 20 ms off moves the estimate by less than 0.05 ms.
    mutating func observe(position: Int, time stamp: Double) {
        let predicted = time(at: Double(position))
        let step = (Double(position) - anchor.position) * period
        guard step > 0 else { return }
        observed += step
        let bandwidth = max(0.02, 0.2 / (1 + observed / 4))
        let omega = 2 * Double.pi * bandwidth * step
        let error = stamp - predicted
        anchor = (Double(position), predicted + min(1, 2.0.squareRoot() * omega) * error)
        // No crystal is off by more than 2 %: a stamp that says so is an accident of scheduling.
        let corrected = period + omega * omega * error / step * period
        period = min(max(corrected, 0.98 / nominalRate), 1.02 / nominalRate)
    }

    /// Moves the line to a new time, after sound was lost.
    mutating func shift(by seconds: Double) { anchor.time += seconds }
}
