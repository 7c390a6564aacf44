import SystemPackage
import Threads

/// The batch as single steps, for schedulers of others: each may run in a process of its own, at any time, on any machine
/// that sees the folder.
extension BatchPlan {
    /// Writes down what is to be done.
    ///
    /// - Throws: ``ExportError`` where somebody works in the folder, or it cannot be written.
    public func write() async throws {
        let plan = self
        try await onOwnThread("rushes-batch") { try plan.open().release(BatchLock.whole) }
    }

    /// Does one item, unless it is done.
    ///
    /// - Parameters:
    ///   - number: from 0, in the order of ``items``.
    ///   - tell: is told what happens to it.
    /// - Throws: ``ExportError``, also where a batch or another step works on it.
    public func run(
        _ number: Int, exporter: @escaping BatchExporter, tell: @escaping @Sendable (BatchEvent) -> Void = { _ in }
    ) async throws -> BatchOutcome {
        guard items.indices.contains(number) else {
            throw ExportError(.unsuitable, "The batch has no item \(number); its items are 0 to \(items.count - 1).")
        }
        let lock = try BatchLock(folder.lock)
        guard try lock.take(BatchLock.whole, .shared) else {
            throw ExportError(.badInput, "A whole batch works on \(folder.outputs.wireText); wait for its end.")
        }
        defer { lock.release(BatchLock.whole) }
        let plan = self
        return try await BatchStep(item: items[number], plan: plan, lock: lock).run(
            exporter, begun: { _ in tell(.began(number)) }, report: { tell(.progress(number, $0)) })
    }
}
