import Encoding
import LiveActivity
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// The files: which one shots go into, and what becomes of one that takes no more.
extension TimelapseSupervisor {
    func updateFiles() async {
        guard let movie = track.movie else { return }
        files.note(shots: movie.count)
        if let failure = movie.writer.failure {
            switch failure {
            // The old movie is as it was.
            case MovieFileError.unsupported where movie.destination.isContinued:
                return await goOn(because: "its frames were made with other settings", repeats: true)
            case MovieFileError.system(_, .fileTooLarge):
                return await goOn(because: Self.noLarger, repeats: true)
            default: return end(.writingFailed(movie.writer.failureWords ?? "\(failure)"))
            }
        }
        switch track.wait {
        case .day(let wall): await beginDay(at: wall)
        case .fullFile: await goOn(because: Self.noLarger, repeats: false)
        case nil: break
        }
        if state.withLock({ $0.looks % Self.diskEvery == 1 }) { disk.refresh(movie) }
        if let place = disk.move(of: movie) { events.put(.moved(place)) }
        if let loss = disk.loss(of: movie) { return end(.fileLost(loss)) }
        if let free = disk.free, free < settings.minimumFreeSpace { end(.minimumFreeSpaceReached) }
    }

    private static let noLarger = "its disk cannot hold a larger file"

    /// Goes on in the next file.
    ///
    /// - Parameter repeats: whether the file has failed: then the next one begins with the shots that are not in it.
    private func goOn(because words: String, repeats: Bool) async {
        guard let movie = track.holdBack() else { return }
        do {
            guard var next = try await files.openNext() else { return }
            var kept: Int?
            if repeats {
                let count = await files.completeNow(movie, before: next, events)
                guard count > 0 || movie.destination.isContinued else {
                    await next.writer.cancel()
                    return end(.writingFailed(movie.writer.failureWords ?? words))
                }
                next.earlier = movie.earlier + movie.before + count
                kept = count
            }
            track.change(to: next, until: files.border, repeatingFrom: kept)
            events.put(
                .warning(
                    "\(movie.destination.path) ends here, as \(words); the shots continue in \(next.destination.path).")
            )
            if !repeats { files.complete(movie, before: next, events) }
        } catch {
            guard !repeats else { return end(.writingFailed("\(error)")) }
            events.put(
                .warning(
                    "\(movie.destination.path) is nearly as large as it can be, and no other can be begun (\(error))."))
            track.keepMovie(until: files.border)
        }
    }

    private func beginDay(at wall: MediaTime) async {
        do {
            let next = try await files.openDay(of: wall, events)
            let old = track.change(to: next, until: files.border)
            if let old { files.complete(old, before: next, events) }
        } catch {
            events.put(.warning("No movie of the new day can be begun (\(error)); the shots continue in the old one."))
            track.keepMovie(until: files.border)
        }
    }
}
