import Encoding
import Foundation
import LiveActivity
import MovieFiles
import SystemPackage
import Threads

/// Shows an export as an activity, from when it begins: a request that is rejected has never been under way.
final class ExportActivity: Sendable {
    private struct Shown {
        var activity: Activity?
        var content: ExportContent
    }

    private let shown: Locked<Shown>
    private let attributes: ActivityAttributes
    private let kind: ActivityKind
    private let center: ActivityCenter
    private let control: @Sendable (ActivityControl) -> Void
    private let onStart: @Sendable (Activity) -> Void

    /// - Parameters:
    ///   - output: what people look for when it is done.
    ///   - control: does what somebody who watches asks for; called from any thread.
    ///   - onStart: is given the activity when it starts.
    init(
        of origin: any ExportOrigin, to destination: MovieDestination, output: FilePath, in center: ActivityCenter,
        control: @escaping @Sendable (ActivityControl) -> Void, onStart: @escaping @Sendable (Activity) -> Void
    ) {
        let output = output.absolute
        shown = Locked(Shown(content: ExportContent(output: output)))
        attributes = ActivityAttributes(
            title: destination.path.lastComponent.map { "\($0)" } ?? "Export",
            output: output.wireText, inputs: origin.inputs.map { $0.absolute.wireText })
        kind = origin.kind
        (self.center, self.control, self.onStart) = (center, control, onStart)
    }

    /// nil until the export begins.
    var activity: Activity? { shown.withLock { $0.activity } }

    /// Shows how it stands. Whoever calls first, and from whatever thread, begins the activity, which there is one of.
    func show(_ state: ExportSession.State, isPaused: Bool) {
        let started = shown.withLock { shown -> Activity? in
            let content: ContentState
            switch state {
            case .pending: return nil
            case .waiting: content = shown.content.state(isPaused ? .paused : .waiting)
            case .exporting(let progress):
                shown.content.progress = progress
                content = shown.content.state(isPaused: false)
            }
            let started = start(&shown)
            // In the lock, which keeps the order: an activity never waits.
            shown.activity?.update(Self.content(content))
            return started
        }
        started.map(onStart)
    }

    /// Shows what became of it. An export that was done at once gets its start too; one that was rejected shows nothing.
    ///
    /// - Parameter progress: how far it came, which may not have been shown yet.
    func end(_ result: Result<ExportResult, any Error>, _ progress: ExportProgress) {
        let isDone = (try? result.get()) != nil
        let started = shown.withLock { isDone ? start(&$0) : nil }
        started.map(onStart)
        shown.withLock { shown in
            guard let activity = shown.activity else { return }
            if isDone { shown.content.progress = progress }
            activity.end(ActivityContent(state: Self.final(result, &shown.content), staleDate: nil))
        }
    }

    private static func final(
        _ result: Result<ExportResult, any Error>, _ content: inout ExportContent
    ) -> ContentState {
        switch result {
        case .success(let done):
            (content.progress.mediaTime, content.progress.framesWritten) = (done.duration, done.frames)
            var state = content.state(.finished)
            (state.fraction, state.fileIsGood, state.output) = (1, true, done.path.absolute.wireText)
            state.bytesWritten = done.size
            state.message = done.notes.isEmpty ? nil : done.notes.joined(separator: " ")
            if state.totalItems != nil { (state.completedItems, state.subtitle) = (state.totalItems, nil) }
            return state
        case .failure(is CancellationError):
            var state = content.state(.cancelled)
            state.reason = "cancelled"
            return state
        case .failure(let error):
            var state = content.state(.failed)
            (state.reason, state.fileIsGood) = ("\(error)", false)
            return state
        }
    }

    /// - Returns: the activity if it did not exist before.
    private func start(_ shown: inout Shown) -> Activity? {
        guard shown.activity == nil else { return nil }
        shown.activity = try? Activity.request(
            kind: kind, attributes: attributes.fitted,
            content: Self.content(ContentState(phase: .waiting)), in: center)
        // To stop is not offered: a part of an export is of no use.
        shown.activity?.accept([.cancel, .pause, .resume]) { [control] wish, _ in control(wish) }
        return shown.activity
    }

    /// Out of date after five seconds: an export tells its progress several times a second.
    private static func content(_ state: ContentState) -> ActivityContent {
        ActivityContent(state: state, staleDate: Date().addingTimeInterval(5))
    }
}
