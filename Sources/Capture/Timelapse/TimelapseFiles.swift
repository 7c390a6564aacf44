import Encoding
import Errors
import FileSystem
import Foundation
import LiveActivity
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

extension MediaTime {
    /// "2", or "0.5".
    fileprivate var shortSeconds: String {
        let text = "\(seconds)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// The files of a timelapse: which one goes on, which comes next, and what became of those before.
final class TimelapseFiles: Sendable {
    struct State {
        var plan: TimelapsePlan?
        /// The file that is written, 1 for the first.
        var number: Int
        /// Of a movie a day, the one that is written; part of its name.
        var day: String?
        var finished: [RecordingPart] = []
        /// Files that are being completed, one after the other.
        var completing: Task<Void, Never>?
        var border: MediaTime?
        /// Of the file that is written, and of those behind it on the same day.
        var images: ShotImages?
    }

    /// As it was asked for.
    private let whole: MovieDestination
    let state: Locked<State>
    private let space: Int64
    /// The movie that goes on.
    let old: (path: FilePath, movie: ContinuedMovie)?
    /// What a kill has left open of it.
    let open: OpenMovies
    /// What earlier runs have shot.
    let earlier: EarlierShots
    /// Wall time of a slot of their grid.
    let grid: MediaTime?
    private let notice: String?
    private let written = Locked(0)

    /// - Throws: ``RushesError`` if no file can be written there, or there is one and none is to go on.
    init(_ whole: MovieDestination, _ settings: TimelapseSettings) async throws {
        self.whole = whole
        let now = MediaTime(Date())
        let begin = settings.isDaily ? settings.hours?.first(from: now) ?? now : nil
        let day = begin.map { ShootingDay(of: $0) }
        let destination = day.map { whole.dated($0.name) } ?? whole
        space = settings.minimumFreeSpace
        var (number, old, notice): (Int, (FilePath, ContinuedMovie)?, String?) = (1, nil, nil)
        if settings.resumes, destination.path.isThere {
            while destination.part(number + 1).path.isThere { number += 1 }
            let path = number == 1 ? destination.path : destination.part(number).path
            guard !MovieDestination(path).isBeingWritten else {
                throw RushesError(
                    .fileExists, on: path.string,
                    "\(path) is being written by another program; wait until it has finished.")
            }
            do {
                let movie = try await onOwnThread("rushes-resume") { try ContinuedMovie(path) }
                old = (path, movie)
            } catch let error as MovieFileError {
                number += 1
                let reason = if case .unsupported(let reason) = error { reason } else { "\(error)" }
                notice =
                    "\(path) stays as it is (\(reason)); the timelapse continues in \(destination.part(number).path)."
            }
        }
        if let (path, movie) = old, let own = movie.shotInterval, (own - settings.interval).length > .millisecond / 2 {
            notice =
                "\(path) has a shot every \(own.shortSeconds) s so far, and one every \(settings.interval.shortSeconds) s from here on, so it "
                + "runs at two speeds."
        }
        (self.old, self.notice) = (old.map { (path: $0.0, movie: $0.1) }, notice)
        state = Locked(State(number: number, day: day?.name, border: day?.end))
        let begun = old?.1.creationDate
        (open, earlier, grid) = try await onOwnThread("rushes-resume") { [number] in
            guard settings.resumes else { return (OpenMovies(paths: []), EarlierShots(in: []), nil) }
            let open = OpenMovies(before: number, of: destination, day: day?.name, whole)
            // They are read whole, and only what is counted needs them.
            let isCounted = settings.duration != nil || settings.maximumShots != nil
            let earlier = EarlierShots(
                in: isCounted ? EarlierShots.movies(before: number, of: destination, day: day?.name, whole) : [],
                and: begun)
            // A day without a movie goes on in the grid of the one before.
            let date = earlier.begin ?? open.paths.last.flatMap { try? ContinuedMovie($0).creationDate }
            return (open, earlier, date.map { MediaTime($0.date) })
        }
        let first = target
        try await onOwnThread("rushes-destination") { [space] in try first.check(needing: space) }
    }

    /// Wall time from which the slots of this run count: the first shot of the timelapse that is resumed, or a moment of its grid where
    /// it was none of the same run; `nil` where nothing is.
    func anchor(at now: MediaTime, _ interval: MediaTime) -> MediaTime? {
        if let begin = earlier.begin { return MediaTime(begin.date) }
        guard let grid, grid < now else { return grid }
        return grid + ((now - grid - .nanosecond).quotient(dividingBy: max(.millisecond, interval)) + 1) * interval
    }

    /// Shots of before in the movie that goes on.
    var shotsBefore: Int { old?.movie.frameCount ?? 0 }

    /// - Throws: ``RushesError`` where earlier runs have shot all that there was to be.
    func check(_ settings: TimelapseSettings, at now: MediaTime) throws(RushesError) {
        if let duration = settings.duration, let count = settings.slotCount, let begin = earlier.begin,
            now > MediaTime(begin.date) + count * settings.interval
        {
            let seconds = Int(duration.seconds.rounded())
            throw RushesError(
                .invalidSettings, on: whole.path.string,
                "The \(seconds) s since \(begin), the first shot, are over; leave the duration out, or give a longer one."
            )
        }
        if let most = settings.maximumShots, earlier.count + shotsBefore >= most {
            throw RushesError(
                .invalidSettings, on: whole.path.string,
                "There are \(earlier.count + shotsBefore) shots, and \(most) are what the \(Term.length) has; give a longer one."
            )
        }
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

    /// Opens the movie of a day. If it cannot be opened, shots of that day go into the old one; an image that cannot be made is told.
    func openDay(of wall: MediaTime, _ events: Mailbox<TimelapseEvent>) async throws -> TimelapseMovie? {
        let day = ShootingDay(of: wall)
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
            let (images, refusals) = try await images()
            let movie = try await state.withLock { $0.plan }?.open(target, earlier: shotsWritten, images: images)
            state.withLock { $0.images = images }
            for refusal in refusals { events.put(.warning("The new day has one image fewer (\(refusal)).")) }
            return movie
        } catch {
            state.withLock { ($0.day, $0.number) = before }
            throw error
        }
    }

    /// In all files, as far as they are known.
    private var shotsWritten: Int { written.withLock { $0 } }
    /// Tells how many shots there are, before another file is opened.
    func note(shots: Int) { written.withLock { $0 = shots } }

    func use(_ plan: TimelapsePlan) { state.withLock { $0.plan = plan } }

    /// - Throws: what the encoder or the disk refused.
    func openFirst(_ events: Mailbox<TimelapseEvent>) async throws -> TimelapseMovie? {
        if let notice { events.put(.warning(notice)) }
        let (images, refusals) = try await images()
        if let refusal = refusals.first { throw refusal }
        state.withLock { $0.images = images }
        return try await state.withLock { $0.plan }?.open(target, before: shotsBefore, images: images)
    }

    /// New ones, of the day that is written, and why others cannot be had.
    private func images() async throws -> (ShotImages?, refusals: [RushesError]) {
        let (plan, day) = state.withLock { ($0.plan, $0.day) }
        return try await onOwnThread("rushes-destination") { plan?.look.images(of: day) ?? (nil, []) }
    }

    /// Opens the next file whose name is free.
    func openNext() async throws -> TimelapseMovie? {
        let before = state.withLock { $0.number }
        while true {
            let next = destination.part(
                state.withLock { state in
                    state.number += 1
                    return state.number
                })
            do {
                try await onOwnThread("rushes-destination") { [space] in try next.check(needing: space) }
                let (plan, images) = state.withLock { ($0.plan, $0.images) }
                return try await plan?.open(next, earlier: shotsWritten, images: images)
            } catch let error as RushesError where error.code == .fileExists {
                continue
            } catch {
                // Whoever resumes looks for numbers without a gap.
                state.withLock { $0.number = before }
                throw error
            }
        }
    }

    /// In the files before the one that is written.
    var shots: Int { state.withLock { $0.finished.reduce(0) { $0 + $1.frames } } }
    var bytes: Int64 { state.withLock { $0.finished.reduce(0) { $0 + $1.bytes } } }
}
