/// Decides, buffer by buffer, how a microphone's sound becomes a gapless row of samples on the system's clock.
///
/// Pure: it sees stamps and counts, and answers with what to do to the samples. The row begins at ``start``; its sample
/// `n` belongs to `start + n / rate`.
struct SoundTimeline: Sendable {
    /// What to do with the buffers handed in so far.
    enum Action: Equatable, Sendable {
        /// Keep the buffer; the beginning is not known yet.
        case hold
        /// Put this many samples of silence into the row, then the buffer's samples changed by the ratio.
        case write(silence: Int, inputPerOutput: Double)
        /// Leave out this many samples of the buffer, then write what remains.
        case skip(Int, inputPerOutput: Double)
    }

    let rate: Int
    /// Whether the source's own stamps are exact (a test source): then nothing is estimated.
    let isOnSystemClock: Bool
    /// The running time of the row's first sample in seconds, once it is known.
    private(set) var start: Double?
    private var estimator: ArrivalEstimator?
    private var early: [(position: Int, time: Double)] = []
    private var position = 0
    private var residuals: [Double] = []

    init(rate: Int, isOnSystemClock: Bool) {
        self.rate = rate
        self.isOnSystemClock = isOnSystemClock
    }

    /// Stamps are gathered for this long before the row begins, so that its beginning is a median and not an accident.
    static let settling = 1.0
    /// Stamps this far off, all of a third of a second, mean lost or doubled sound and not scatter.
    static let jump = 0.08

    /// How much faster than promised the microphone runs, as a ratio.
    var drift: Double { estimator?.drift ?? 0 }

    /// - Parameters:
    ///   - frames: samples of each channel in the buffer.
    ///   - stamp: the buffer's running time in seconds.
    ///   - written: samples of the row so far, which is what was asked for as far as the resampler could give it.
    mutating func receive(frames: Int, stamp: Double, written: Int) -> Action {
        defer { position += frames }
        if isOnSystemClock { return receiveExact(stamp: stamp, written: written) }
        guard var estimator, let start else { return settle(frames: frames, stamp: stamp) }
        estimator.observe(position: position, time: stamp)
        let jumped = detectJump(stamp - estimator.time(at: Double(position)))
        if let jumped { estimator.shift(by: jumped) }
        self.estimator = estimator
        // Where the row stands against where this buffer belongs: positive when the row lacks samples.
        let late = estimator.time(at: Double(position)) - (start + Double(written) / Double(rate))
        if abs(late) > Self.jump / 2 {
            let samples = Int((late * Double(rate)).rounded())
            return late > 0 ? .write(silence: samples, inputPerOutput: ratio(0)) : .skip(min(-samples, frames), inputPerOutput: ratio(0))
        }
        return .write(silence: 0, inputPerOutput: ratio(late))
    }

    /// The true ratio of the clocks, and a little more or less to close what is open within some seconds.
    private func ratio(_ late: Double) -> Double {
        let drift = estimator?.drift ?? 0
        return (1 + drift) * (1 - min(max(late / 4, -0.003), 0.003))
    }

    private mutating func settle(frames: Int, stamp: Double) -> Action {
        early.append((position, stamp))
        guard Double(position + frames) / Double(rate) >= Self.settling else { return .hold }
        let estimator = ArrivalEstimator(nominalRate: Double(rate), firstStamps: early)
        start = estimator.time(at: 0)
        self.estimator = estimator
        early = []
        return .write(silence: 0, inputPerOutput: 1)
    }

    private mutating func receiveExact(stamp: Double, written: Int) -> Action {
        guard let start else {
            self.start = stamp
            return .write(silence: 0, inputPerOutput: 1)
        }
        let missing = Int(((stamp - start) * Double(rate)).rounded()) - written
        return .write(silence: missing > rate / 100 ? missing : 0, inputPerOutput: 1)
    }

    /// The length of a jump in seconds once all stamps of a third of a second agree on it.
    private mutating func detectJump(_ residual: Double) -> Double? {
        guard abs(residual) > Self.jump else { residuals = []; return nil }
        residuals.append(residual)
        guard residuals.count >= 12 else { return nil }
        defer { residuals = [] }
        return residuals.sorted()[residuals.count / 2]
    }
}
