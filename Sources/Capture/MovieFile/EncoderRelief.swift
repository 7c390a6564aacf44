import MediaTypes

/// Decides at which of its speeds an encoder works while a movie is recorded: the fastest at once where frames pile up before it, and
/// back step by step where it has kept up for long enough. No frame is lost by it, so it comes before ``LoadRelief``. Pure.
struct EncoderRelief: Sendable {
    /// What is seen of an encoder.
    struct Snapshot: Sendable, Equatable {
        /// How many steps faster it works than it began, and how many there are.
        var step = 0
        var fastest = 0
        /// Whether another one is just taking its place.
        var isExchanging = false
    }

    private var lastChange: MediaTime?
    private var emptySince: MediaTime?
    private var steppedBack: MediaTime?
    /// How long it must have kept up before a slower speed is tried.
    private var calm = Self.shortestCalm

    /// What waited for the encoder before is worked off by then, mostly.
    private static let settling = 2 * MediaTime.second
    /// It grows with each attempt that fails: each exchange costs a key frame and a moment with two encoders.
    private static let (shortestCalm, longestCalm) = (10 * MediaTime.second, 160 * MediaTime.second)

    /// - Parameters:
    ///   - encoder: as it works now.
    ///   - backlog: what waits for it.
    ///   - time: of the look, running time.
    ///   - isDecimated: whether frames are left out, which are taken again before the encoder is slowed down.
    /// - Returns: the step that it is to work at from now on; `nil` where that stays.
    mutating func evaluate(
        _ encoder: Snapshot, _ backlog: LoadRelief.Backlog, time: MediaTime, isDecimated: Bool
    ) -> Int? {
        if !backlog.isEmpty || isDecimated || encoder.isExchanging { emptySince = nil }
        guard !encoder.isExchanging, isSettled(at: time) else { return nil }
        if backlog.isGrowing {
            guard encoder.step < encoder.fastest else { return nil }
            if let steppedBack, time - steppedBack < 2 * calm { calm = min(2 * calm, Self.longestCalm) }
            lastChange = time
            return encoder.fastest
        }
        guard encoder.step > 0, backlog.isEmpty, !isDecimated else { return nil }
        guard let since = emptySince, time - since >= calm else {
            emptySince = emptySince ?? time
            return nil
        }
        (emptySince, steppedBack, lastChange) = (nil, time, time)
        return encoder.step - 1
    }

    /// Whether it is as fast as it can be, and that was not enough.
    func isSpent(_ encoder: Snapshot, at time: MediaTime) -> Bool {
        encoder.step >= encoder.fastest && !encoder.isExchanging && isSettled(at: time)
    }

    private func isSettled(at time: MediaTime) -> Bool { lastChange.map { time - $0 >= Self.settling } ?? true }
}

/// The encoders of a movie and of each camera's own, which share the cores: whichever falls behind, first those of the cameras' own movies work
/// faster, then the movie's; then insets have fewer frames; then frames of the former are left out, then of the latter. The way back is the
/// way here. Pure.
struct EncodersRelief: Sendable {
    private var encoders: [EncoderRelief] = []
    private var relief = LoadRelief()

    var decimation: FrameDecimation { relief.decimation }

    /// What is to be done.
    struct Change: Sendable {
        /// Encoders, by their number, and the steps they are to work at.
        var steps: [(encoder: Int, step: Int)] = []
        /// Which frames are left out from now on, in a sentence.
        var words: String?
    }

    /// - Parameters:
    ///   - all: each encoder with what waits for it, the movie's first.
    ///   - hasInsets: whether some need not be decoded.
    ///   - time: of the look, running time.
    mutating func evaluate(
        _ all: [(encoder: EncoderRelief.Snapshot, backlog: LoadRelief.Backlog)], hasInsets: Bool = false,
        time: MediaTime
    ) -> Change {
        var change = Change()
        while encoders.count < all.count { encoders.append(EncoderRelief()) }
        guard let movie = all.first else { return change }
        for (index, seen) in all.enumerated() {
            let isLater = index == 0 && !movie.backlog.isBehind && canOthersRelieve(all, at: time)
            // What the movie's encoder has not given back yet is not taken by the others.
            let isWaiting = index > 0 && movie.encoder.step > 0
            let step = encoders[index].evaluate(
                seen.encoder,
                isLater
                    ? seen.backlog.asSteady
                    : index > 0 && movie.backlog.isGrowing ? seen.backlog.fuller(movie.backlog) : seen.backlog,
                time: time, isDecimated: isWaiting || decimation != FrameDecimation())
            if let step { change.steps.append((index, step)) }
        }
        // Frames are left out where encoders can do no more, or would not in time.
        let mayLeaveOut = all.indices.contains { index in
            let (encoder, backlog) = all[index]
            return backlog.isNearlyFull || backlog.isBehind && encoders[index].isSpent(encoder, at: time)
        }
        change.words = relief.evaluate(
            movie.backlog, all.dropFirst().map(\.backlog), hasInsets: hasInsets, time: time,
            mayLeaveOut: mayLeaveOut)
        return change
    }

    /// Whether the cameras' own encoders can work faster, or only just do.
    private func canOthersRelieve(
        _ all: [(encoder: EncoderRelief.Snapshot, backlog: LoadRelief.Backlog)], at time: MediaTime
    ) -> Bool {
        all.indices.dropFirst().contains { !encoders[$0].isSpent(all[$0].encoder, at: time) }
    }
}
