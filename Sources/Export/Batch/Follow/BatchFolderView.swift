import Errors
import FileSystem
import Foundation
import LiveActivity
import SystemPackage

/// What a batch's folder says of its items, looked at again and again by who does none of the work.
///
/// What is done is read once, and of the rest what is there: that of files which run or have failed.
struct BatchFolderView {
    /// How one item stands.
    enum Stand: Sendable, Hashable {
        case waiting
        case running(BatchClaim)
        /// Its work has not responded for so long that it is over, or its process is gone.
        case lost(BatchClaim)
        case over(BatchRecord)
    }

    private let folder: BatchFolder
    private let keys: [UInt64]
    private let silence: Duration
    private var done: [UInt64: BatchRecord] = [:]
    /// Since when a claim has had the beat that it has.
    private var beats: [UInt64: (number: Int, beat: Int, time: ContinuousClock.Instant)] = [:]

    /// - Parameter silence: how long without a beat after which work is lost.
    init(_ plan: BatchPlan, silence: Duration = BatchClaimTiming().silence) {
        (folder, keys, self.silence) = (plan.folder, plan.items.map(\.key), silence)
    }

    /// Looks at the folder. Blocks for the disk.
    ///
    /// - Returns: how each item stands, in the order of the plan.
    mutating func look(now: ContinuousClock.Instant = .now) throws(RushesError) -> [Stand] {
        let listing = try folder.listing()
        let claims = listing.claims
        return keys.map { key in
            if let record = done[key] { return .over(record) }
            let record = listing.record(of: key)
            if let record, record.state.isOver, (claims[key]?.number ?? 0) <= record.starts + 1 {
                if record.state == .done { done[key] = record }
                return .over(record)
            }
            guard let found = claims[key], let claim = found.claim else { return .waiting }
            return isLost(key, found.number, claim, now) ? .lost(claim) : .running(claim)
        }
    }

    private mutating func isLost(
        _ key: UInt64, _ number: Int, _ claim: BatchClaim, _ now: ContinuousClock.Instant
    ) -> Bool {
        if let isAlive = claim.worker.process.isAlive { return !isAlive }
        guard let last = beats[key], last.number == number, last.beat == claim.beat else {
            beats[key] = (number, claim.beat, now)
            return false
        }
        return now - last.time >= silence
    }
}
