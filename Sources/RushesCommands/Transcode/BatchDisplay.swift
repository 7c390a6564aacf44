import DesktopActivity
import LiveActivity
import Threads

/// Shows a batch as asked: a bar for it and for each file that runs, lines for it alone, or JSON for all of them.
final class BatchDisplay: Sendable {
    private let json: ActivityReporter?
    private let progress: ActivityReporter
    private let showsFiles: Bool
    private let isListed: Bool
    private let shown = Locked<[Task<Void, Never>]>([])
    private let isPaused = Locked<AsyncSignal?>(nil)

    /// - Parameter isListed: whether the desktop and the service manager are told too.
    init(_ output: OutputOptions, isListed: Bool = true) {
        self.isListed = isListed
        json = output.json ? Self.serial(StandardStreams.events) : nil
        progress = Self.serial(.progress(output.progress))
        // In a log a line for each of a thousand files says less than how many are done, and what failed.
        showsFiles = output.progress.resolved(on: Terminal()) == .bar
    }

    /// The activities are followed each by a task of its own, and a line is a line.
    private static func serial(_ reporter: ActivityReporter) -> ActivityReporter {
        let turn = Locked(0)
        return ActivityReporter { event in turn.withLock { _ in reporter.show(event) } }
    }

    func follow(batch activity: Activity) {
        let watch = ActivityReporter { [isPaused] event in
            if event.contentState.phase == .paused { isPaused.withLock { $0 }?.fire() }
        }
        // The watch is last of those in its task: what it tells of has been shown.
        let first = ActivityReporter { [json, progress] event in
            json?.show(event)
            progress.show(event)
            watch.show(event)
        }
        guard isListed else { return follow(activity, [first]) }
        let desktop = DesktopActivity.reporter(
            offers: { _ in activity.controls }, control: { try? activity.control($1) }, handOver: NoticeCommand.start)
        follow(activity, [first, desktop] + [ActivityReporter.service()].compactMap(\.self))
    }

    func follow(file activity: Activity) {
        follow(activity, [json, showsFiles ? progress : nil].compactMap(\.self))
    }

    private func follow(_ activity: Activity, _ reporters: [ActivityReporter]) {
        let tasks = reporters.map { $0.follow(activity.events) }
        shown.withLock { $0 += tasks }
    }

    /// Call before the batch is paused; fires when everybody has been shown that.
    func signalOfPause() -> AsyncSignal {
        let signal = AsyncSignal()
        isPaused.withLock { $0 = signal }
        return signal
    }

    /// Waits until all is shown.
    func finish() async {
        await shown.withLock({ $0 }).areShown()
    }
}
