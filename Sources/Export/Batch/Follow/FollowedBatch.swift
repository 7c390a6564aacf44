import LiveActivity
import MovieFiles

/// A batch as its folder tells of it at one moment.
package struct FollowedBatch: Sendable {
    /// Items whose output is there.
    package private(set) var done = 0
    /// Items that were given up, a sentence each.
    package private(set) var cancellations: [String] = []
    /// Items that nobody has begun.
    package private(set) var waiting = 0
    /// Why items failed, a sentence each.
    package private(set) var failures: [String] = []
    /// Work that responds no longer, a sentence each.
    package private(set) var losses: [String] = []
    /// How many items each node has done.
    package private(set) var nodes: [String: Int] = [:]
    /// How many items were begun more than once.
    package private(set) var begunAgain = 0
    private let count: Int
    private var running: [(name: String, node: String)] = []
    private var bytes: Int64 = 0
    private(set) var progress: BatchProgress
    /// Seconds since 1970; `nil` before the first begins.
    private(set) var began: Double?

    init(_ items: [BatchItem], _ stands: [BatchFolderView.Stand]) {
        count = items.count
        progress = BatchProgress(items.map(\.attributes))
        for (number, (item, stand)) in zip(items, stands).enumerated() { add(number, item, stand) }
    }

    private mutating func add(_ number: Int, _ item: BatchItem, _ stand: BatchFolderView.Stand) {
        switch stand {
        case .waiting: waiting += 1
        case .running(let claim):
            running.append((item.displayName, claim.worker.node))
            progress.advance(number, to: claim.fraction ?? 0)
            bytes += claim.bytes
        case .lost(let claim):
            losses.append("\(item.displayName) on \(claim.worker.node) no longer responds.")
        case .over(let record): add(number, item, record)
        }
    }

    private mutating func add(_ number: Int, _ item: BatchItem, _ record: BatchRecord) {
        let attempts = record.attempts ?? []
        if let first = attempts.first?.began { began = min(began ?? first, first) }
        if record.starts > 1 { begunAgain += 1 }
        switch record.state {
        case .done:
            done += 1
            progress.finish(number)
            bytes += record.result?.size ?? 0
            if let node = attempts.last?.node { nodes[node, default: 0] += 1 }
        case .cancelled:
            let place = attempts.last.map { " on \($0.node)" } ?? ""
            cancellations.append("\(item.displayName)\(place): \(record.reason ?? "Cancelled.")")
        case .failed, .running, .finishing: failures.append(item.sentence(record.reason ?? "Failed."))
        }
        guard record.state != .done else { return }
        progress.advance(number, to: record.fraction ?? 0)
        progress.abandon(number)
    }

    var isWorking: Bool { !running.isEmpty }
    /// Whether nothing more is done, as far as the folder says.
    package var isOver: Bool { waiting == 0 && running.isEmpty && losses.isEmpty }
    /// Whether every output is there.
    package var isComplete: Bool { done == count }
    /// How many outputs are not there and did not fail, those given up included.
    package var left: Int { count - done - failures.count }

    /// What an activity shows of it.
    func state(elapsed: Double) -> ContentState {
        var state = ContentState(phase: isWorking ? .running : .waiting, fraction: progress.fraction, elapsed: elapsed)
        let over = done + failures.count + cancellations.count
        (state.completedItems, state.totalItems, state.itemUnit) = (over, count, .files)
        state.subtitle = "Exporting \(over)/\(count)"
        state.failedItems = failures.count
        state.bytesWritten = bytes
        state.currentItem = running.first.map { "\($0.name) on \($0.node)" }
        state.message = losses.last ?? failures.last ?? cancellations.last
        return state
    }

    /// What it shows when it is followed no more.
    func final(elapsed: Double) -> ContentState {
        var state = state(elapsed: elapsed)
        state.phase = isComplete ? .finished : left > 0 ? .cancelled : .failed
        if isComplete { state.fraction = 1 }
        state.subtitle = "Exported \(done)/\(count)"
        state.fileIsGood = isComplete
        return state
    }
}
