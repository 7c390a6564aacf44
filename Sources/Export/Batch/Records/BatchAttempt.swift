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

    /// - Parameter began: in seconds since 1970; `nil` for now.
    init(_ number: Int, by worker: BatchWorker, began: Double? = nil) {
        (self.number, node, task) = (number, worker.node, worker.task?.name)
        self.began = began ?? Date().timeIntervalSince1970
    }
}

extension BatchRecord {
    /// Adds an attempt that begins now.
    ///
    /// - Parameter overtaken: those before it whose claims were left: who died before this record named it is not in there yet.
    mutating func begin(
        _ number: Int, by worker: BatchWorker, overtaking overtaken: [BatchAttempt], after before: BatchRecord?
    ) {
        let unrecorded = overtaken.filter { $0.number > before?.starts ?? 0 }
        starts = number
        completions = before?.completions ?? 0
        attempts = ((before?.attempts ?? []) + unrecorded + [BatchAttempt(number, by: worker)]).suffix(
            BatchAttempt.kept)
    }

    /// States what became of the latest attempt.
    mutating func end(_ state: State) {
        self.state = state
        guard let last = attempts?.indices.last, attempts?[last].outcome == nil else { return }
        attempts?[last].ended = Date().timeIntervalSince1970
        attempts?[last].outcome = state
    }
}
