import DesktopActivity
import Export
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
    func end(_ result: Result<SeparateFiles, any Error>, of session: ExportSession) async {
        await shown.withLock { $0 }.areShown()
        guard case .success(let done) = result else {
            let separated = session.separated
            for file in separated.files { tell(of: file) }
            if case .failure(is CancellationError) = result {
                StandardStreams.printNote("Cancelled; \(separated.complete ?? "no file was written.")")
            }
            return
        }
        // What is said of several files is said once, and of one alone with its name.
        var counts: [String: Int] = [:]
        for file in done.files { for note in file.notes { counts[note, default: 0] += 1 } }
        let common = (done.files.first?.notes ?? []).filter { counts[$0] == done.files.count }
        for note in done.notes + common { StandardStreams.printNote(note) }
        for file in done.files {
            tell(of: file)
            for note in file.notes where !common.contains(note) { StandardStreams.printNote("  \(note)") }
        }
    }

    private func tell(of file: ExportResult) {
        var parts = [Words.clock(file.duration), Words.size(file.size)]
        if file.frames > 0 { parts.insert(Words.count(file.frames, "frame"), at: 1) }
        StandardStreams.printNote("\(file.path): \(parts.joined(separator: ", ")).")
    }
}
