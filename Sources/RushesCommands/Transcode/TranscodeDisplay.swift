import DesktopActivity
import Foundation
import LiveActivity
import Rushes
import SystemPackage

/// Makes an export an activity, and shows it as asked: a bar, lines, or JSON.
///
/// It is one from when it begins: what is refused has never been under way, and a sentence says so.
final class TranscodeDisplay: @unchecked Sendable {
    // Used by one task at a time: the updates', which has ended before the end is shown.
    private let begin = Date()
    private let input: FilePath
    private let destination: MovieDestination
    private let output: OutputOptions
    private let session: ExportSession
    private let cancel: @Sendable () -> Void
    private var activity: Activity?
    private var shown: [Task<Void, Never>] = []
    private var estimate = ProgressEstimate()
    private var latest = ExportProgress()

    /// - Parameter cancel: gives the export up, when somebody who watches the activity asks for it.
    init(
        input: FilePath, destination: MovieDestination, output: OutputOptions, session: ExportSession,
        cancel: @escaping @Sendable () -> Void
    ) {
        (self.input, self.destination, self.output) = (input, destination, output)
        (self.session, self.cancel) = (session, cancel)
    }

    func show(_ state: ExportSession.State) {
        switch state {
        case .pending: break
        case .waiting: update(session.isPaused ? .paused : .waiting)
        case .exporting(let progress):
            latest = progress
            update(progress.phase.isWork ? .running : .finishing)
        }
    }

    private func start() {
        let attributes = ActivityAttributes(
            title: destination.path.lastComponent.map { "\($0)" } ?? "Transcode",
            output: destination.path.absolute.wireText, inputs: [input.absolute.wireText])
        let content = ActivityContent(state: ContentState(phase: .waiting), staleDate: Date().addingTimeInterval(5))
        guard
            let activity = try? Activity.request(kind: .transcode, attributes: attributes.fitted, content: content)
        else { return }
        activity.accept([.cancel, .pause, .resume]) { [session, cancel] control, _ in
            switch control {
            // To stop is not offered: a part of an export is of no use.
            case .cancel, .stop: cancel()
            case .pause: session.pause()
            case .resume: session.resume()
            case .mark: break  // is not offered either
            }
        }
        let progress = ActivityReporter.progress(output.progress)
        // What is said in a sentence at the end is not said in the last line too.
        let brief = ActivityReporter { progress.show($0.event == .end ? $0.withoutMessage : $0) }
        let reporters =
            (output.json ? [StandardStreams.events] : []) + [brief] + [ActivityReporter.service()].compactMap(\.self)
        let desktop = DesktopActivity.reporter(
            offers: { _ in activity.controls }, control: { try? activity.control($1) }, handOver: NoticeCommand.start)
        shown = (reporters + [desktop]).map { $0.follow(activity.events) }
        self.activity = activity
    }

    private func update(_ phase: ContentState.Phase) {
        if activity == nil { start() }
        activity?.update(
            ActivityContent(state: content(phase), staleDate: Date().addingTimeInterval(5)))
    }

    private func content(_ phase: ContentState.Phase) -> ContentState {
        var state = ContentState(phase: phase, elapsed: Date().timeIntervalSince(begin))
        state.fraction = latest.fraction
        state.mediaTime = latest.mediaTime.seconds
        state.mediaDuration = latest.mediaDuration?.seconds
        state.framesWritten = latest.framesWritten
        state.bytesWritten = latest.bytesWritten
        if state.elapsed > 1 {
            state.framesPerSecond = Double(latest.framesWritten) / state.elapsed
            state.speed = latest.mediaTime.seconds / state.elapsed
        }
        state.message = latest.step
        state.thumbnail = latest.thumbnail?.string
        state.output = destination.path.absolute.wireText
        estimate.apply(to: &state, at: ProcessInfo.processInfo.systemUptime)
        return state
    }

    /// Shows the end, and says in words what came of it.
    func end(_ result: Result<ExportResult, any Error>) async {
        var state: ContentState
        switch result {
        case .success(let done):
            // One that was done at once still gets its start: every end has one.
            if activity == nil { start() }
            state = content(.finished)
            (state.fraction, state.fileIsGood, state.output) = (1, true, done.path.absolute.wireText)
            (state.bytesWritten, state.framesWritten) = (done.size, done.frames)
            state.message = done.notes.first
        case .failure(is CancellationError):
            state = content(.cancelled)
            state.reason = "cancelled"
        case .failure(let error):
            state = content(.failed)
            (state.reason, state.fileIsGood) = ("\(error)", false)
        }
        state.thumbnail = nil
        activity?.end(ActivityContent(state: state, staleDate: nil))
        // What is shown is shown to its end before the last word is said.
        await shown.areShown()
        guard case .success(let done) = result else {
            if case .failure(is CancellationError) = result { StandardStreams.printNote("Cancelled; nothing is left.") }
            return
        }
        for note in done.notes { StandardStreams.printNote(note) }
        var parts = [Words.clock(done.duration.seconds), Words.size(done.size)]
        if done.frames > 0 { parts.insert("\(done.frames) frames", at: 1) }
        StandardStreams.printNote("\(done.path): \(parts.joined(separator: ", ")).")
    }
}
