/// Estimates when each sample of a microphone was really taken, from noisy arrival stamps.
///
/// A stamp is made when someone gets round to it, so it is late by anything from nothing to a tenth of a second, and never
/// early. But of the stamps of four tenths of a second the earliest is late by nearly nothing, also on a machine that is
/// busy with other things (PulseAudio, six other programs on two cores: the mean 5 ms, the latest 155 ms, the earliest
/// 0.02 ms and in 99 of 100 blocks less than 1.2 ms). So the earliest stamp of each block is what a Kalman filter of two
/// values, a time and a skew, follows: at first every block counts much, so that a clock's rate is found within seconds,
/// then less and less, down to a time constant of eight seconds. Where the first stamps are prompt, they tell the rate already (``StampLine``).
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
    /// The earliest stamp of the block under way, with how late it is, and where the block ends.
    private var earliest: (position: Double, late: Double)?
    private var blockEnd: Double
    /// By how much the earliest stamps of the last blocks were off, as long as all were, and to the same side.
    private var off: [Double] = []
    /// How far the earliest stamps of the last blocks lie from the line, squared; ``scatter`` at most, until it is known to be less.
    private var seenScatter = ArrivalEstimator.scatter

    /// Seconds of a block.
    static let block = 0.4
    /// How far the earliest stamp of a block scatters, squared: half a millisecond.
    private static let scatter = 0.0005 * 0.0005
    /// What ``seenScatter`` is at the least, squared: a tenth of a millisecond.
    private static let leastScatter = 0.0001 * 0.0001
    /// How fast a crystal's rate may wander: with ``scatter`` it sets the final time constant,
    /// (scatter · block / wander)^¼ = 8 s.
    private static let wander = scatter * block / (8 * 8 * 8 * 8)
    /// How far off a clock may be expected: real ones keep 0.01 %, made ones are 0.5 % off.
    private static let expectedSkew = 0.003
    /// Audio was lost or doubled, not stamped late, when the earliest stamps of this many blocks running are off by more
    /// than ``step`` seconds. To be early needs two: nothing is stamped before it was there.
    private static let confirmingBlocks = (late: 4, early: 2)
    private static let step = 0.006

    /// Begins with the line below the first stamps where that is clear, else with the earliest of them, each reduced to the time of the first
    /// position; and follows them all.
    init(nominalRate: Double, firstStamps: [(position: Int, time: Double)]) {
        self.nominalRate = nominalRate
        let first = Double(firstStamps.first?.position ?? 0)
        let stamps = firstStamps.map { stamp in
            let promised = (Double(stamp.position) - first) / nominalRate
            return StampLine.Stamp(promised: promised, time: stamp.time - promised)
        }
        if let line = StampLine(stamps), let last = stamps.last {
            anchor = (first + last.promised * nominalRate, line.time + last.promised * (1 + line.skew))
            skew = line.skew
            let (time, rate) = (line.uncertainty * last.promised, line.uncertainty)
            // The line lies as low as the earliest stamp of all: what the next are late by in the mean is found at once.
            uncertainty = (max(time * time, Self.scatter), time * rate, rate * rate)
            seenScatter = min(max(9 * line.lateness * line.lateness, Self.leastScatter), Self.scatter)
            blockEnd = anchor.position + Self.block * nominalRate
            return
        }
        anchor = (first, stamps.map(\.time).min() ?? 0)
        // Over a second the earliest is off by 3 ms for a clock that is 0.5 % off.
        uncertainty = (0.003 * 0.003, 0, Self.expectedSkew * Self.expectedSkew)
        blockEnd = first + Self.block * nominalRate
        for stamp in firstStamps { _ = observe(position: stamp.position, time: stamp.time) }
    }

    /// The time at which the sample at a position was taken.
    func time(at position: Double) -> Double {
        anchor.time + (position - anchor.position) / nominalRate * (1 + skew)
    }

    /// How much faster than promised the microphone runs, as a ratio.
    var drift: Double { 1 / (1 + skew) - 1 }

    /// The drift as far as the stamps bear it out: nothing while it lies within what their scatter alone would make of a
    /// true clock, all of it once it stands well above that.
    ///
    /// Followed as it is, the estimate of the first seconds would bend the pitch of a true microphone. What the scatter makes of it is
    /// as large as the scatter is seen to be: where stamps are prompt, a clock that is off by 0.002 % is followed too, as of two
    /// microphones each would else stay behind by a millisecond of its own.
    var trustedDrift: Double {
        let scatter = 4 * max(0, uncertainty.skew) * seenScatter / Self.scatter
        return skew * skew > scatter ? drift * (1 - scatter / (skew * skew)) : 0
    }

    /// Follows one stamp: the time of the buffer whose first sample is at the position.
    ///
    /// - Returns: seconds by which the line was moved because audio was lost (positive) or doubled; else 0.
    mutating func observe(position: Int, time stamp: Double) -> Double {
        let position = Double(position)
        let late = stamp - time(at: position)
        if earliest.map({ late < $0.late }) ?? true { earliest = (position, late) }
        guard position >= blockEnd, let seen = earliest else { return 0 }
        earliest = nil
        blockEnd = position + Self.block * nominalRate
        if let moved = stepSeen(seen.late) {
            shift(by: moved)
            return moved
        }
        follow(seen.late, at: seen.position)
        return 0
    }

    /// Moves the line to a new time, after audio was lost or doubled.
    mutating func shift(by seconds: Double) {
        anchor.time += seconds
        (earliest, off) = (nil, [])
    }

    private mutating func stepSeen(_ late: Double) -> Double? {
        guard abs(late) > Self.step else {
            off = []
            return nil
        }
        if let last = off.last, (last > 0) != (late > 0) { off = [] }
        off.append(late)
        guard off.count >= (late > 0 ? Self.confirmingBlocks.late : Self.confirmingBlocks.early) else { return nil }
        return late > 0 ? off.min() : off.max()
    }

    private mutating func follow(_ late: Double, at position: Double) {
        let step = (position - anchor.position) / nominalRate
        guard step > 0 else { return }
        anchor = (position, time(at: position))
        uncertainty.time += step * (2 * uncertainty.both + step * uncertainty.skew)
        uncertainty.both += step * uncertainty.skew
        uncertainty.skew += step * Self.wander
        let total = uncertainty.time + Self.scatter
        let (timeGain, skewGain) = (uncertainty.time / total, uncertainty.both / total)
        // A block that is late as a whole is no clock: it counts as if it were late by what may be expected.
        let expected = 3 * total.squareRoot()
        let error = min(max(late, -2 * expected), expected)
        seenScatter += (min(max(late * late, Self.leastScatter), Self.scatter) - seenScatter) / 4
        anchor.time += timeGain * error
        // No crystal is off by more than 2 %: a stamp that says so is an accident of scheduling.
        skew = min(max(skew + skewGain * error, -0.02), 0.02)
        uncertainty.skew -= skewGain * uncertainty.both
        uncertainty.both -= skewGain * uncertainty.time
        uncertainty.time -= timeGain * uncertainty.time
    }
}
