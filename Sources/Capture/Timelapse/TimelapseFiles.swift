import Encoding
import Errors
import FileSystem
import LiveActivity
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// The files of a timelapse: which one goes on, which comes next, and what became of those before.
final class TimelapseFiles: Sendable {
    private struct State {
        var plan: TimelapsePlan?
        /// The file that is written, 1 for the first.
        var number: Int
        var finished: [RecordingPart] = []
    }

    private let destination: MovieDestination
    private let state: Locked<State>
    private let space: Int64
    /// The movie that goes on.
    private let old: (path: FilePath, movie: ContinuedMovie)?
    private let disk = Locked<(path: FilePath, space: DiskSpace)?>(nil)
    /// Wall time of the grid's beginning in the movie that goes on.
    let anchor: MediaTime?
    private let notice: String?

    /// - Throws: ``RushesError`` if no file can be written there, or there is one and none is to go on.
    init(_ destination: MovieDestination, _ settings: TimelapseSettings) async throws {
        self.destination = destination
        space = settings.minimumFreeSpace
        var (number, old, notice): (Int, (FilePath, ContinuedMovie)?, String?) = (1, nil, nil)
        if settings.resumes, destination.path.isThere {
            while destination.part(number + 1).path.isThere { number += 1 }
            let path = number == 1 ? destination.path : destination.part(number).path
            guard !MovieDestination(path).isBeingWritten else {
                throw RushesError(
                    .fileExists, on: path.string,
                    "\(path) is being written by another program; wait until that has ended.")
            }
            do {
                let movie = try await onOwnThread("rushes-resume") { try ContinuedMovie(path) }
                old = (path, movie)
            } catch let error as MovieFileError {
                number += 1
                notice = "\(path) stays as it is (\(error)); the timelapse goes on in \(destination.part(number).path)."
            }
        }
        (self.old, self.notice) = (old.map { (path: $0.0, movie: $0.1) }, notice)
        anchor = old?.1.creationDate.map { MediaTime($0.date) }
        state = Locked(State(number: number))
        let first = target
        try await onOwnThread("rushes-destination") { [space] in try first.check(needing: space) }
    }

    /// The file that comes next to be opened.
    private var target: MovieDestination {
        if let old { return MovieDestination(continuing: old.path) }
        let number = state.withLock { $0.number }
        return number == 1 ? destination : destination.part(number)
    }

    func use(_ plan: TimelapsePlan) { state.withLock { $0.plan = plan } }

    /// - Throws: what the encoder or the disk refused.
    func openFirst(_ events: Mailbox<TimelapseEvent>) async throws -> TimelapseMovie? {
        if let notice { events.put(.warning(notice)) }
        return try await state.withLock { $0.plan }?.open(target, before: old?.movie.frameCount ?? 0)
    }

    /// Opens the next file whose name is free.
    func openNext() async throws -> TimelapseMovie? {
        while true {
            let next = destination.part(
                state.withLock { state in
                    state.number += 1
                    return state.number
                })
            do {
                try await onOwnThread("rushes-destination") { [space] in try next.check(needing: space) }
                return try await state.withLock { $0.plan }?.open(next, earlier: shots)
            } catch let error as RushesError where error.code == .fileExists { continue }
        }
    }

    // MARK: What is seen

    /// Asks for the space of the disk, and where the file is.
    func refresh(_ movie: TimelapseMovie) {
        let path = movie.destination.path
        let disk = self.disk.withLock { disk in
            if disk?.path != path {
                disk = (path, DiskSpace(movie.destination.folder) { movie.writer.whereabouts })
            }
            return disk?.space
        }
        disk?.refresh()
    }

    var freeSpace: Int64? { disk.withLock { $0?.space.free } }

    /// What happened to a file that has no name any more.
    func loss(of movie: TimelapseMovie) -> String? {
        guard let disk = disk.withLock({ $0 }), disk.path == movie.destination.path else { return nil }
        switch disk.space.whereabouts {
        case .here, .moved: return nil
        case .deleted, .replaced: return disk.space.whereabouts.loss(of: movie.writer.path ?? disk.path)
        }
    }

    /// In the files before the one that is written.
    var shots: Int { state.withLock { $0.finished.reduce(0) { $0 + $1.frames } } }
    var bytes: Int64 { state.withLock { $0.finished.reduce(0) { $0 + $1.bytes } } }

    // MARK: The end

    /// Completes the last file, and tells how all ended.
    func finish(_ movie: TimelapseMovie?, _ reason: RecordingEndReason) async -> RecordingResult {
        let parts = state.withLock { $0.finished }
        var progress = RecordingProgress()
        let (frames, bytes) = (shots, self.bytes)
        do {
            guard let movie else { throw RushesError(.nothingRecorded, "No shot was taken, so there is no file.") }
            let file = try await movie.finish()
            (progress.frames, progress.bytes) = (frames + file.frames, bytes + file.size)
            progress.duration = parts.reduce(file.duration) { $0 + $1.duration }
            let broken = parts.first { !$0.fileIsGood }
            return RecordingResult(
                reason: reason.considering(file.fault), fileIsGood: file.isComplete && broken == nil, path: file.path,
                parts: parts, progress: progress, problem: file.problem ?? broken?.problem)
        } catch {
            (progress.frames, progress.bytes) = (frames, bytes)
            let hasNone = (error as? RushesError)?.code == .nothingRecorded
            let kept = hasNone ? old?.path : nil
            let words =
                !hasNone
                ? "\(error)"
                : kept.map { "No shot was added to \($0), which is as it was." }
                    ?? "No shot was taken, so there is no file."
            return RecordingResult(
                reason: reason.considering(movie?.writer.failureWords.map { .writing($0) }), fileIsGood: false,
                path: kept, parts: parts, progress: progress, problem: words)
        }
    }
}
