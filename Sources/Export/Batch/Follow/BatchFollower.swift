import Errors
import Foundation
package import LiveActivity
import MovieFiles
import SystemPackage
import Threads

/// Shows a batch as one activity that other processes work on, on this machine or on others: all it knows it reads from the
/// batch's folder, so any number may follow, from wherever that is seen.
package final class BatchFollower: Sendable {
    /// All of the batch.
    package let activity: Activity
    private let plan: BatchPlan
    private let isStopped = AsyncSignal()

    /// - Throws: ``ActivityAuthorizationError`` never, as what does not fit is shortened.
    package init(_ plan: BatchPlan, in center: ActivityCenter = .shared) throws {
        self.plan = plan
        let outputs = plan.folder.outputs
        let attributes = ActivityAttributes(
            title: "Export to \(outputs.lastComponent.map { "\($0)" } ?? "/")", output: outputs.wireText,
            inputs: plan.items.map(\.input.wireText))
        activity = try Activity.request(
            kind: .batch, attributes: attributes.fitted,
            content: Self.content(ContentState(phase: .waiting)), in: center)
    }

    /// Ends the following; the batch continues.
    package func stop() { isStopped.fire() }

    /// Looks until every item is over, or it is stopped, and ends the activity.
    ///
    /// - Parameter isQueued: whether a scheduler will still begin items, `nil` where nobody knows: then what was not begun is
    ///   waited for.
    /// - Returns: how the batch stands at the end.
    /// - Throws: ``RushesError`` if the folder cannot be read.
    package func run(isQueued: @Sendable () async -> Bool?) async throws -> FollowedBatch {
        let view = Locked(BatchFolderView(plan))
        let plan = plan
        let items = await onOwnThread("rushes-batch", orAfter: .seconds(60), otherwise: plan.items) {
            plan.withAttributes()
        }
        let begin = Date().timeIntervalSince1970
        var estimate = ProgressEstimate()
        var start = ContentState(phase: .running, fraction: 0)
        estimate.apply(to: &start, at: 0)
        while true {
            let stands = try await onOwnThread("rushes-batch") { try view.withLock { try $0.look() } }
            let batch = FollowedBatch(items, stands)
            let elapsed = max(0, Date().timeIntervalSince1970 - min(begin, batch.began ?? begin))
            if await isOver(batch, isQueued) {
                activity.end(Self.content(batch.final(elapsed: elapsed)))
                return batch
            }
            var state = batch.state(elapsed: elapsed)
            state.output = plan.folder.outputs.wireText
            estimate.apply(to: &state, batch.progress, at: elapsed)
            activity.update(Self.content(state))
            _ = await isStopped.wait(within: Self.pause)
        }
    }

    private func isOver(_ batch: FollowedBatch, _ isQueued: @Sendable () async -> Bool?) async -> Bool {
        if isStopped.isFired || batch.isComplete { return true }
        guard batch.isOver || !batch.isWorking else { return false }
        // What failed may have been handed over again.
        return switch await isQueued() {
        case true?: false
        case false?: true
        case nil: batch.isOver
        }
    }

    /// From one look to the next.
    private static let pause = Duration.seconds(1)

    private static func content(_ state: ContentState) -> ActivityContent {
        ActivityContent(state: state, staleDate: Date().addingTimeInterval(5), relevanceScore: 1)
    }
}
