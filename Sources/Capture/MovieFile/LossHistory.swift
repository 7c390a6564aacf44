import MediaTypes

/// How much had been lost at which time, for a recording that begins in the past: what its file lacks counts, what was lost before does
/// not. Pure.
struct LossHistory: Sendable {
    struct Losses: Sendable, Equatable {
        /// Frames that came, or should have, and were not encoded.
        var dropped = 0
        /// Frames that were left out to relieve the encoders.
        var leftOut = 0
    }

    private var entries: [(time: MediaTime, losses: Losses)] = []

    /// - Parameters:
    ///   - time: of the encoders, which rises.
    ///   - duration: how far back somebody may ask.
    mutating func note(_ losses: Losses, at time: MediaTime, keeping duration: MediaTime) {
        let old = entries.prefix { $0.time <= time - duration }.count
        // The last one before tells what had been lost until then.
        if old > 1 { entries.removeFirst(old - 1) }
        entries.append((time, losses))
    }

    /// What had been lost before a time, as far as that is known.
    func losses(before time: MediaTime) -> Losses { entries.last { $0.time <= time }?.losses ?? Losses() }
}
