import Foundation

/// One attempt at an item: who made it, when, and what became of it.
struct BatchAttempt: Codable, Sendable, Hashable {
    /// From 1.
    var number: Int
    /// The node, or the machine's name.
    var node: String
    /// Of Slurm, such as "12_3".
    var task: String?
    /// Seconds since 1970.
    var began: Double
    /// Seconds since 1970; `nil` while it is under way, and for ever where its node died.
    var ended: Double?
    /// `done`, `failed` or `cancelled`; `nil` likewise.
    var outcome: BatchRecord.State?

    /// How many a record keeps, the latest ones.
    static let kept = 10

    init(_ number: Int, by worker: BatchWorker) {
        (self.number, node, task) = (number, worker.node, worker.task?.name)
        began = Date().timeIntervalSince1970
    }
}

extension BatchRecord {
    /// Adds an attempt that begins now.
    mutating func begin(_ number: Int, by worker: BatchWorker, after before: BatchRecord?) {
        starts = number
        completions = before?.completions ?? 0
        attempts = ((before?.attempts ?? []) + [BatchAttempt(number, by: worker)]).suffix(BatchAttempt.kept)
    }

    /// States what became of the latest attempt.
    mutating func end(_ state: State) {
        self.state = state
        guard let last = attempts?.indices.last, attempts?[last].outcome == nil else { return }
        attempts?[last].ended = Date().timeIntervalSince1970
        attempts?[last].outcome = state
    }
}
