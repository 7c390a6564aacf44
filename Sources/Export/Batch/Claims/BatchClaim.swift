import Foundation
import LiveActivity

/// Who works on an item now, and how far that is: what the file `items/KEY.NUMBER` holds.
///
/// A claim is made by creating its file, which a file system grants to one of all who ask (`O_EXCL`, over NFS too), and no lock
/// is needed that some shared file systems do not have. Attempts at an item are numbered. Whoever holds number 3 is
/// overtaken by creating number 4, which takes number 3 away first of all, and completes the output only after having created
/// number 4 itself and found number 3 still there: so of two that both believe to be the one, one does.
struct BatchClaim: Codable, Sendable, Hashable {
    var worker: BatchWorker
    /// Seconds since 1970, by the worker's clock; `nil` in claims of versions that did not say it.
    var began: Double? = Date().timeIntervalSince1970
    /// Counts up while the work goes on.
    var beat = 0
    /// How far the export is, from 0 to 1.
    var fraction: Double?
    /// What it has written so far.
    var bytes: Int64 = 0

    /// What becomes of a claim that another one finds.
    enum Verdict: Sendable, Hashable {
        case working
        /// The work has ended without a word, or somebody else was given it.
        case over
        /// It is on another machine: only its silence can tell.
        case unknown
    }

    func verdict(for worker: BatchWorker) -> Verdict {
        if worker.replaces(self.worker) { return .over }
        switch self.worker.process.isAlive {
        case true?: return .working
        case false?: return .over
        case nil: return .unknown
        }
    }
}

/// How often a claim is renewed, and how long it lasts without.
struct BatchClaimTiming: Sendable {
    /// From one beat to the next.
    var beat = Duration.seconds(5)
    /// How long without a beat after which the work of another machine is over.
    var silence = Duration.seconds(60)
    /// Between two looks at a claim that may be over.
    var look = Duration.seconds(1)
}

/// Tells by a claim's beats whether the work of another machine goes on. Clocks of machines differ, so what counts is the time
/// that it was watched.
struct BatchClaimWatch: Sendable {
    private var seen: (number: Int, beat: Int, time: ContinuousClock.Instant)?
    /// The highest number whose work is over.
    private(set) var silent = 0

    init() {}

    /// - Parameter beat: of the claim of this number; `nil` where it cannot be read.
    /// - Returns: whether the work goes on; `nil` while nobody knows.
    mutating func look(
        _ number: Int, beat: Int?, silence: Duration, now: ContinuousClock.Instant = .now
    ) -> Bool? {
        let beat = beat ?? -1
        guard let seen, seen.number == number else {
            self.seen = (number, beat, now)
            return nil
        }
        if seen.beat != beat {
            self.seen = (number, beat, now)
            return true
        }
        guard now - seen.time >= silence else { return nil }
        silent = max(silent, number)
        return false
    }
}
