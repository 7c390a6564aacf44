package import Encoding
import Errors
package import SystemPackage
import Threads

/// Waits for the photos that come to a folder, each when it is complete, until a limit is reached or it is stopped.
///
/// The timelapse is made then: its order, its light and its length are known with the last photo only, and the photos stay
/// where they are, so nothing is lost that has come.
package final class PhotoWatch: Sendable {
    private enum Event: Sendable { case photo(FilePath), tick }

    private let arrivals: AsyncStream<FilePath>
    private let limits: PhotoWatchState.Limits
    private let isStopped = Locked(false)

    /// What the movie is to be is looked at now: hours later nobody would be there to mend it.
    ///
    /// - Parameter images: what is made of all frames beside the movie.
    /// - Throws: ``RushesError`` where there is no such folder, or the movie or an image could not be made.
    package init(
        _ folder: FilePath, _ limits: PhotoWatchState.Limits, for destination: MovieDestination,
        images: [MovieDestination] = [], _ settings: ExportSettings
    ) throws {
        _ = try ExportTarget(settings, container: try destination.container(), files: try PipelineFiles.find())
        for output in [destination] + images { try output.check() }
        arrivals = try FolderArrivals.stream(of: folder, list: { .init(files: (try? PhotoListing.photos([$0])) ?? []) })
        self.limits = limits
    }

    /// Waits no longer, and lets the timelapse be made of what has come.
    package func stop() { isStopped.withLock { $0 = true } }

    /// The photos that have come when it is over. Asked for once.
    ///
    /// - Parameter onPhoto: is told how many there are.
    package func photos(onPhoto: (Int) -> Void) async -> [FilePath] {
        var state = PhotoWatchState(limits, at: .now)
        let events = AsyncStream<Event>.merging([
            AsyncStream.each(of: arrivals) { .photo($0) }, AsyncStream.clock(.tick, every: Self.step),
        ])
        for await event in events {
            if case .photo(let path) = event {
                let count = state.photos.count
                state.add(path, at: .now)
                if state.photos.count > count { onPhoto(state.photos.count) }
            }
            if state.isOver(at: .now) || isStopped.withLock({ $0 }) || Task.isCancelled { break }
        }
        return state.photos
    }

    /// Between two looks at the clock.
    private static let step = Duration.milliseconds(250)
}
