/// Decides, buffer by buffer, how a microphone's audio becomes a gapless row of samples on the system's clock.
///
/// Pure: it sees stamps and counts, and answers with what to do to the samples. The row begins at ``start``; its sample
/// `n` belongs to `start + n / rate`.
struct AudioTimeline: Sendable {
    /// What to do with the buffers that are held and the one just handed in.
    enum Action: Equatable, Sendable {
        /// Keep the buffer: it is not known yet where it belongs.
        case hold
        /// Leave this many samples of the row silent, then write all buffers, changed by the ratio.
        case write(gap: Int, inputPerOutput: Double)
        /// Leave out this many samples, then write what remains, changed by the ratio.
        case skip(Int, inputPerOutput: Double)
    }

    let rate: Int
    /// Whether the source's own stamps are exact (a test source): then nothing is estimated.
    let isOnSystemClock: Bool
    /// The running time of the row's first sample in seconds, once it is known.
    private(set) var start: Double?
    private var estimator: ArrivalEstimator?
    private var position = 0
    /// Where what is held begins.
    private var heldPosition = 0
    private var outliers: [(position: Int, time: Double)] = []

    init(rate: Int, isOnSystemClock: Bool) {
        self.rate = rate
        self.isOnSystemClock = isOnSystemClock
    }

    /// Stamps are gathered for this many seconds before the row begins, so that its beginning is the earliest of many
    /// and not an accident. The audio itself is kept, not lost.
    static let settling = 0.8
    /// The stamps of these first seconds are not looked at: servers start a stream with some that are tens of
    /// milliseconds late.
    static let unsettled = 0.2
    /// Stamps that are further off than this for ``confirmation`` seconds mean lost or doubled audio. More than the bursts
    /// of 20 ms and the quanta of 21 ms that pipewire-pulse makes.
    static let jump = 0.045
    /// Lost audio of less than this is made up for by resampling within five seconds, and less audible than a cut.
    static let cut = 0.015
    /// Measured in arrival, not in audio: a server that was stopped hands out what it kept all at once, with stamps that
    /// are wrong for a few milliseconds only.
    static let confirmation = 0.5
    /// Seconds of audio that are held at most; a server that was stopped for that long may hand all of it out at once.
    static let longestHeld = 10

    /// How much faster than promised the microphone runs, as a ratio.
    var drift: Double { estimator?.drift ?? 0 }

    /// - Parameters:
    ///   - frames: samples of each channel in the buffer.
    ///   - stamp: the buffer's running time in seconds.
    ///   - written: where the row stands: the place of what comes next, in samples and fractions of one.
    mutating func receive(frames: Int, stamp: Double, written: Double) -> Action {
        let action = isOnSystemClock ? receiveExact(stamp, written) : receiveMeasured(frames, stamp, written)
        position += frames
        if action != .hold { heldPosition = position }
        return action
    }

    private mutating func receiveMeasured(_ frames: Int, _ stamp: Double, _ written: Double) -> Action {
        guard var estimator, let start else { return settle(frames, stamp) }
        var jumped = 0.0
        if abs(stamp - estimator.time(at: Double(position))) > Self.jump {
            outliers.append((position, stamp))
            guard isConfirmed(by: stamp) else { return .hold }
            // Stamps are late and never early: the earliest says how much is missing.
            jumped = outliers.map { $0.time - estimator.time(at: Double($0.position)) }.min() ?? 0
            estimator.shift(by: jumped)
        } else {
            jumped = estimator.observe(position: position, time: stamp)
        }
        outliers = []
        self.estimator = estimator
        // Where the row stands against where the audio belongs: positive when the row lacks samples.
        let late = estimator.time(at: Double(heldPosition)) - (start + written / Double(rate))
        // What the filter finds slowly is made up for slowly; only a jump, or what would take too long, is cut.
        guard (jumped != 0 && abs(late) > Self.cut) || abs(late) > 2 * Self.jump else {
            return .write(gap: 0, inputPerOutput: ratio(late))
        }
        let samples = Int((late * Double(rate)).rounded())
        return samples >= 0 ? .write(gap: samples, inputPerOutput: ratio(0)) : .skip(-samples, inputPerOutput: ratio(0))
    }

    /// Whether the stamps have been off for long enough; or for so much audio that more should not be kept.
    private func isConfirmed(by stamp: Double) -> Bool {
        guard let first = outliers.first else { return false }
        return abs(stamp - first.time) >= Self.confirmation || position - first.position > Self.longestHeld * rate
    }

    /// The true ratio of the clocks, and a little more or less to close what is open.
    ///
    /// What lies within ``tolerance`` is closed at leisure, by at most 0.05 %: that audio stays as it was spoken is worth
    /// more there than a millisecond. What lies beyond is closed within seconds, by at most 0.3 %, five hundredths of a
    /// semitone.
    private func ratio(_ late: Double) -> Double {
        let beyond = abs(late) > Self.tolerance ? late - (late > 0 ? Self.tolerance : -Self.tolerance) : 0
        let correction = min(max(late / 8, -0.0005), 0.0005) + min(max(beyond / 2, -0.003), 0.003)
        return (1 + (estimator?.trustedDrift ?? 0)) * (1 - correction)
    }

    /// Seconds by which audio may be off before it is hurried; a tenth of a frame at 60 a second.
    private static let tolerance = 0.0015

    private mutating func settle(_ frames: Int, _ stamp: Double) -> Action {
        let seconds = Double(position + frames) / Double(rate)
        if seconds > Self.unsettled { outliers.append((position, stamp)) }
        guard seconds >= Self.settling else { return .hold }
        let estimator = ArrivalEstimator(nominalRate: Double(rate), firstStamps: outliers)
        start = estimator.time(at: 0)
        self.estimator = estimator
        outliers = []
        return .write(gap: 0, inputPerOutput: ratio(0))
    }

    private mutating func receiveExact(_ stamp: Double, _ written: Double) -> Action {
        let known = start ?? stamp
        start = known
        let missing = Int(((stamp - known) * Double(rate) - written).rounded())
        // Less than 10 ms is the rounding of stamps.
        return .write(gap: missing > rate / 100 ? missing : 0, inputPerOutput: 1)
    }
}
