import DesktopActivity
import Export
import Foundation
import LiveActivity
import Rushes
import SystemPackage

/// Waits for the photos that come to a folder, as an activity that may be stopped, before a timelapse is made of them.
struct WatchedPhotos {
    let folder: FilePath
    let limits: PhotoWatchState.Limits
    let destination: MovieDestination
    let images: [MovieDestination]
    let settings: ExportSettings
    let output: OutputOptions

    /// - Throws: ``ExitCode`` 130 if whoever watches it cancelled it; ``RushesError`` where there is no folder, or the movie could not be made.
    func photos() async throws -> [FilePath] {
        let watch = try PhotoWatch(folder, limits, for: destination, images: images, settings)
        let signals = await StopSignals.watch { watch.stop() }
        let journal = ActivityJournal().keep()
        let isLimited = limits != PhotoWatchState.Limits()
        StandardStreams.printNote(
            "Waiting for photos in \(folder)\(isLimited ? "" : " until Ctrl-C"); the timelapse is made of all that have come."
        )
        let activity = try? Activity.request(
            kind: .timelapse, attributes: attributes, content: content(0, .waiting))
        let work = Task { await watch.photos { activity?.update(content($0, .waiting)) } }
        let shown = activity.map { show($0) } ?? []
        activity?.accept([.stop, .cancel]) { control, _ in if control == .cancel { work.cancel() } else { watch.stop() }
        }
        let photos = await work.value
        signals.cancel()
        let isCancelled = work.isCancelled
        let end = content(photos.count, isCancelled ? .cancelled : .finished)
        activity?.end(ActivityContent(state: end.state, staleDate: nil))
        await shown.areShown()
        await journal.finish()
        if isCancelled { throw ExitStatus.interrupted }
        StandardStreams.printNote("\(photos.count) photo\(photos.count == 1 ? "" : "s") came.")
        guard !photos.isEmpty else {
            throw RushesError(.badInput, on: folder.string, "No photo came to \(folder).")
        }
        return photos
    }

    private var attributes: ActivityAttributes {
        ActivityAttributes(
            title: "Photos for \(destination.path.lastComponent.map { "\($0)" } ?? "a timelapse")",
            output: destination.path.absolute.wireText, inputs: [folder.absolute.wireText]
        ).fitted
    }

    private func show(_ activity: Activity) -> [Task<Void, Never>] {
        let progress = ActivityReporter.progress(output.progress)
        let desktop = DesktopActivity.reporter(
            offers: { _ in activity.controls }, control: { try? activity.control($1) }, handOver: NoticeCommand.start)
        let reporters =
            [
                output.json ? StandardStreams.events : nil, output.progress == .none ? nil : progress, .service(),
                desktop,
            ]
            .compactMap(\.self)
        return reporters.map { $0.follow(activity.events) }
    }

    /// Never out of date: photos may be hours apart.
    private func content(_ count: Int, _ phase: ContentState.Phase) -> ActivityContent {
        var state = ContentState(phase: phase)
        (state.completedItems, state.totalItems, state.itemUnit) = (count, limits.count, .files)
        if let total = limits.count {
            state.fraction = min(phase == .finished ? 1 : 0.999, Double(count) / Double(total))
        }
        if phase == .finished { state.fraction = 1 }
        state.subtitle = "\(count) photo\(count == 1 ? "" : "s") so far"
        return ActivityContent(state: state, staleDate: nil)
    }
}
