import Encoding
import Errors
import FileSystem
import Foundation
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
        /// Of a movie a day, the one that is written; part of its name.
        var day: String?
        var finished: [RecordingPart] = []
        /// Files that are being completed, one after the other.
        var completing: Task<Void, Never>?
        var border: MediaTime?
    }

    /// As it was asked for.
    private let whole: MovieDestination
    private let state: Locked<State>
    private let space: Int64
    /// The movie that goes on.
    private let old: (path: FilePath, movie: ContinuedMovie)?
    private let disk = Locked<(path: FilePath, space: DiskSpace)?>(nil)
    /// Wall time of the grid's beginning in the movie that goes on.
    let anchor: MediaTime?
    private let notice: String?
    private let written = Locked(0)

    /// - Throws: ``RushesError`` if no file can be written there, or there is one and none is to go on.
    init(_ whole: MovieDestination, _ settings: TimelapseSettings) async throws {
        self.whole = whole
        let now = MediaTime(Date())
        let begin = settings.isDaily ? settings.hours?.first(from: now) ?? now : nil
        let day = begin.map { Self.day(of: $0) }
        let destination = day.map { whole.dated($0.name) } ?? whole
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
        state = Locked(State(number: number, day: day?.name, border: day?.end))
        let first = target
        try await onOwnThread("rushes-destination") { [space] in try first.check(needing: space) }
    }

    /// The file that comes next to be opened.
    private var target: MovieDestination {
        if let old { return MovieDestination(continuing: old.path) }
        let number = state.withLock { $0.number }
        return number == 1 ? destination : destination.part(number)
    }

    /// What the file that is written, or comes next, is called without a number.
    private var destination: MovieDestination { state.withLock { $0.day }.map { whole.dated($0) } ?? whole }

    /// Wall time from which on shots belong to another day's movie.
    var border: MediaTime? { state.withLock { $0.border } }

    /// The day of a wall time by the machine's zone, "2026-11-23", and where it ends.
    private static func day(of wall: MediaTime) -> (name: String, end: MediaTime) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        let date = Date(wall: wall)
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        func two(_ value: Int?) -> String { (value ?? 0) < 10 ? "0\(value ?? 0)" : "\(value ?? 0)" }
        let end = calendar.dateInterval(of: .day, for: date)?.end ?? date.addingTimeInterval(86_400)
        return ("\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))", MediaTime(end))
    }

    /// Opens the movie of a day. If it cannot be opened, shots of that day go into the old one.
    func openDay(of wall: MediaTime) async throws -> TimelapseMovie? {
        let day = Self.day(of: wall)
        let before = state.withLock { state in
            let before = (state.day, state.number)
            (state.day, state.number, state.border) = (day.name, 1, day.end)
            return before
        }
        do {
            var next = destination
            while next.path.isThere {
                let number = state.withLock { state in
                    state.number += 1
                    return state.number
                }
                next = destination.part(number)
            }
            let target = next
            try await onOwnThread("rushes-destination") { [space] in try target.check(needing: space) }
            return try await state.withLock { $0.plan }?.open(target, earlier: shotsWritten)
        } catch {
            state.withLock { ($0.day, $0.number) = before }
            throw error
        }
    }

    /// Completes a file that another one has followed, beside the shots and after those before it.
    func complete(_ movie: TimelapseMovie, before next: TimelapseMovie?, _ events: Mailbox<TimelapseEvent>) {
        state.withLock { state in
            let last = state.completing
            state.completing = Task {
                await last?.value
                await finishPart(movie, before: next, events)
            }
        }
    }

    private func finishPart(
        _ movie: TimelapseMovie, before next: TimelapseMovie?, _ events: Mailbox<TimelapseEvent>
    ) async {
        guard movie.shots > 0 else { return await movie.writer.cancel() }
        let start = MediaTime(samples: movie.earlier, of: movie.rate)
        var part = RecordingPart(
            path: movie.destination.path, start: start, duration: movie.duration, bytes: movie.writer.bytesWritten,
            frames: movie.before + movie.shots, fileIsGood: false, next: next?.destination.path)
        do {
            let file = try await movie.finish()
            (part.path, part.duration, part.bytes, part.frames) = (file.path, file.duration, file.size, file.frames)
            (part.fileIsGood, part.problem) = (file.isComplete, file.problem)
        } catch MovieFileError.unsupported where movie.destination.isContinued {
            // Nothing was added to it.
            return
        } catch { part.problem = "\(error)" }
        let done = part
        state.withLock { $0.finished.append(done) }
        events.put(.finishedPart(done))
    }

    /// In all files, as far as they are known.
    private var shotsWritten: Int { written.withLock { $0 } }
    /// Tells how many shots there are, before another file is opened.
    func note(shots: Int) { written.withLock { $0 = shots } }

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
                return try await state.withLock { $0.plan }?.open(next, earlier: shotsWritten)
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
        await state.withLock { $0.completing }?.value
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
