import Foundation
package import LiveActivity
import MovieFiles
package import SystemPackage
import Threads

/// Shows a batch as activities: one for all of it, and one for each file while it is exported.
package final class BatchActivities: Sendable {
    /// All of the batch.
    package let batch: Activity
    private let control: @Sendable (BatchRequest) -> Void
    private let onFile: @Sendable (Activity) -> Void
    private let center: ActivityCenter
    private let state: Locked<BatchImage>

    /// - Parameters:
    ///   - watched: a folder from which more files come, so that nobody knows how far it is.
    ///   - control: begins what somebody who watches asked for; called from any thread.
    ///   - onFile: is given the activity of each file when it begins.
    /// - Throws: ``ActivityAuthorizationError`` never, as what does not fit is shortened.
    package init(
        _ plan: BatchPlan, watched: FilePath? = nil, in center: ActivityCenter = .shared,
        control: @escaping @Sendable (BatchRequest) -> Void, onFile: @escaping @Sendable (Activity) -> Void = { _ in }
    ) throws {
        let frame = BatchImage(
            watched: watched.map { $0.lastComponent.map { FilePath(root: nil, [$0]).wireText } ?? $0.wireText },
            folder: plan.folder.outputs.wireText)
        let name = plan.folder.outputs.lastComponent.map { "\($0)" } ?? "/"
        let attributes = ActivityAttributes(
            title: "Export to \(name)", output: plan.folder.outputs.wireText,
            inputs: plan.items.map(\.input.wireText))
        batch = try Activity.request(
            kind: .batch, attributes: attributes.fitted,
            content: Self.content(ContentState(phase: .waiting), relevance: 1), in: center)
        batch.accept([.cancel, .pause, .resume, .stop]) { wish, _ in control(.batch(wish)) }
        self.control = control
        self.onFile = onFile
        self.center = center
        state = Locked(frame)
    }

    /// Takes what the batch tells.
    package func show(_ event: BatchEvent) {
        let news = state.withLock { $0.take(event) }
        switch event {
        case .began(let item): _ = begin(item)
        case .progress(let item, _), .held(let item, _): update(item)
        case .ended(let item, let outcome): end(item, outcome)
        case .postponed(let item):
            end(item, BatchOutcome(.cancelled, reason: "There was no space for it; it will be started again."))
        case .status: state.withLock { $0.quietFiles }.forEach(update)
        case .added: break
        }
        if let news { batch.update(Self.content(news, relevance: 1)) }
    }

    /// Ends the batch's own activity, and those of files that are under way.
    package func end(_ summary: BatchSummary) {
        for number in state.withLock({ $0.openFiles }) { end(number, BatchOutcome(.cancelled)) }
        let final = state.withLock { $0.final(summary) }
        batch.end(ActivityContent(state: final, staleDate: nil, relevanceScore: 1))
    }

    private func update(_ number: Int) {
        guard let shown = state.withLock({ $0.shownFile(number) }) else { return }
        shown.activity.update(Self.content(shown.state))
    }

    private func begin(_ number: Int) -> Activity? {
        guard let item = state.withLock({ $0.item(number) }) else { return nil }
        let attributes = ActivityAttributes(
            title: item.displayName, output: item.output.wireText, inputs: item.inputs.map(\.wireText), parent: batch.id
        )
        let activity = try? Activity.request(
            kind: item.isComposed ? .compose : .transcode, attributes: attributes.fitted,
            content: Self.content(ContentState(phase: .running)),
            in: center)
        guard let activity else { return nil }
        activity.accept([.cancel, .pause, .resume]) { [control] wish, _ in control(.item(number, wish)) }
        state.withLock { $0.began(number, activity) }
        onFile(activity)
        return activity
    }

    private func end(_ number: Int, _ outcome: BatchOutcome) {
        // What was done before is no work; what failed before it began still has its start, as every end has one.
        if outcome.kind == .failed, state.withLock({ $0.activity(number) }) == nil { _ = begin(number) }
        guard let (activity, final) = state.withLock({ $0.endFile(number, outcome) }) else { return }
        let dismissal: ActivityUIDismissalPolicy =
            outcome.kind == .done ? .after(Date() + Self.shownAfterwards) : .default
        activity.end(ActivityContent(state: final, staleDate: nil), dismissalPolicy: dismissal)
    }

    /// Seconds. A batch of thousands keeps no activity of each until the evening; its own says how many.
    private static let shownAfterwards = 60.0

    /// Out of date after five seconds: an export tells its progress several times a second.
    private static func content(_ state: ContentState, relevance: Double = 0) -> ActivityContent {
        ActivityContent(state: state, staleDate: Date().addingTimeInterval(5), relevanceScore: relevance)
    }
}
