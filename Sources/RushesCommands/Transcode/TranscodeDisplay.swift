import DesktopActivity
import Foundation
import LiveActivity
import Rushes
import Threads

/// Shows an export's activity as asked: a bar, lines, or JSON; and says in words what came of it.
final class TranscodeDisplay: Sendable {
    private let output: OutputOptions
    private let shown = Locked<[Task<Void, Never>]>([])

    init(_ output: OutputOptions) { self.output = output }

    /// Follows the activity, which has just started.
    func start(_ activity: Activity) {
        let progress = ActivityReporter.progress(output.progress)
        // What is said in a sentence at the end is not said in the last line too.
        let brief = ActivityReporter { progress.show($0.event == .end ? $0.withoutMessage : $0) }
        let reporters =
            (output.json ? [StandardStreams.events] : []) + [brief] + [ActivityReporter.service()].compactMap(\.self)
        let desktop = DesktopActivity.reporter(
            offers: { _ in activity.controls }, control: { try? activity.control($1) }, handOver: NoticeCommand.start)
        shown.withLock { $0 = (reporters + [desktop]).map { $0.follow(activity.events) } }
    }

    /// Says what came of it, when all is shown.
    func end(_ result: Result<ExportResult, any Error>) async {
        await shown.withLock { $0 }.areShown()
        guard case .success(let done) = result else {
            if case .failure(is CancellationError) = result {
                StandardStreams.printNote("Cancelled; no file was written.")
            }
            return
        }
        for note in done.notes { StandardStreams.printNote(note) }
        var parts = [Words.clock(done.duration), Words.size(done.size)]
        if done.frames > 0 { parts.insert(Words.count(done.frames, "frame"), at: 1) }
        StandardStreams.printNote("\(done.path): \(parts.joined(separator: ", ")).")
    }
}
