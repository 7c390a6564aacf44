/// How long work will still take: from its pace in the last seconds and on the whole, without the time that it was paused.
///
/// The pace of the moment alone jumps about; the average alone notices a slower part too late. So the estimate takes the
/// mean of both, and says nothing until it has seen enough.
package struct ProgressEstimate: Sendable {
    /// Seconds of work that count as the last ones.
    static let window = 8.0
    /// Seconds of work before anything is said.
    static let timeout = 3.0

    private struct Sample {
        var time: Double
        var fraction: Double
    }
    /// Seconds of work so far.
    private var worked = 0.0
    private var fraction = 0.0
    private var samples: [Sample] = []
    private var last: (time: Double, isWorking: Bool)?
    private var remaining: Double?

    /// Of work that has not begun.
    package init() {}

    /// Completes a state by what is known now: the fraction never falls and is below 1 until the work is finished, and
    /// `remaining` is set as soon as it means something.
    ///
    /// - Parameter seconds: now, on a clock that is never set back.
    package mutating func apply(to state: inout ContentState, at seconds: Double) {
        let isWorking = state.phase == .running
        if let last, last.isWorking { worked += max(0, seconds - last.time) }
        last = (seconds, isWorking)
        state = state.phase.isFinal ? state : state.running(after: ContentState(fraction: fraction))
        fraction = state.fraction ?? fraction
        if isWorking { estimate() }
        switch state.phase {
        // Nobody knows how long the disk takes for the rest.
        case .finishing, .finished, .failed, .cancelled: state.remaining = nil
        case .waiting, .running, .paused, .interrupted: state.remaining = remaining
        }
    }

    private mutating func estimate() {
        samples.append(Sample(time: worked, fraction: fraction))
        // One sample stays from before the window, so that it is always a whole one.
        while samples.count > 2, samples[1].time <= worked - Self.window { samples.removeFirst() }
        // A hundredth says something about the rest, and so does half a minute of work on something long.
        guard worked >= Self.timeout, fraction >= 0.01 || (worked >= 30 && fraction > 0) else { return }
        guard let first = samples.first, worked > first.time else { return }
        let average = fraction / worked
        let recent = (fraction - first.fraction) / (worked - first.time)
        remaining = (1 - fraction) / ((average + recent) / 2)
    }
}

extension ProgressEstimate {
    /// The same for a batch: what has failed or was given up is not complete, and takes no time.
    package mutating func apply(to state: inout ContentState, _ progress: BatchProgress, at seconds: Double) {
        state.fraction = progress.workedFraction
        apply(to: &state, at: seconds)
        state.fraction = state.fraction.map { min($0, progress.fraction) }
    }
}
