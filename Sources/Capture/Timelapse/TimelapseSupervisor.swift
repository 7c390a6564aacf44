import Encoding
import Errors
import Foundation
import GStreamer
import LiveActivity
import MediaTypes
import MovieFiles
import SystemPackage
import Threads

/// Runs a timelapse: looks at its clock, its camera and its disk twice a second, and does what follows from that.
final class TimelapseSupervisor: Sendable {
    let events = Mailbox<TimelapseEvent>()
    let track: TimelapseTrack
    let settings: TimelapseSettings
    let camera: TimelapseCamera
    let files: TimelapseFiles
    private let state: Locked<State>
    private let summary: String
    private let clock: @Sendable () -> ClockReading

    private struct State {
        var keeper: CameraKeeper
        var cameraName: String
        var loss: (words: String, missed: Int)?
        var isPaused = false
        var reason: RecordingEndReason?
        var looks = 0
        /// What was told last, and when.
        var told: (progress: TimelapseProgress, time: MediaTime)?
    }
    private let ending = AsyncSignal()

    /// Seconds from one look to the next, near a shot and between shots that are far apart: each wakes some threads.
    private static let looks = (near: 0.5, far: 2.0)
    /// Where nothing has changed, progress is told after so long.
    private static let quiet = 4 * MediaTime.second
    /// How often the disk is looked at, in looks.
    private static let diskEvery = 4

    init(
        to destination: MovieDestination, _ settings: TimelapseSettings,
        find: @escaping @Sendable () async throws -> VideoSourcePlan
    ) async throws {
        let baseTime = Pipeline.systemTime
        let clock: @Sendable () -> ClockReading = {
            var now = ClockReading.now
            now.running -= baseTime
            return now
        }
        let files = try await TimelapseFiles(destination, settings)
        let handle = Locked<TimelapseTrack?>(nil)
        let camera = TimelapseCamera(
            find: find, baseTime: baseTime,
            isWanted: { time in handle.withLock { $0 }?.isWanted(time) ?? false },
            onFrame: { frame in handle.withLock { $0 }?.receive(frame) })
        let (first, plan) = try await camera.open()
        do {
            let rate = plan.dropToRate ?? plan.rate ?? first.caps.first?["framerate"]?.fractionValue
            let frameDuration = rate.map { $0.frameDuration } ?? .zero
            if rate?.doubleValue ?? 0 > 0, settings.interval < frameDuration * 99 / 100 {
                throw RushesError(
                    .invalidSettings, on: plan.name,
                    "\(plan.name) gives a frame every \(frameDuration.milliseconds) ms, so there is no shot every "
                        + "\(settings.interval.milliseconds) ms; choose a longer interval.")
            }
            let planned = try await TimelapsePlan.plan(settings, first, container: try destination.container())
            let now = clock()
            let schedule = ShotSchedule(
                every: settings.interval, from: files.anchor ?? Self.anchor(at: now.wall, settings.interval),
                begin: now.wall, slotCount: settings.slotCount, frameDuration: frameDuration, hours: settings.hours)
            let track = TimelapseTrack(
                schedule, limit: FrameBacklog.limit(of: first), maximumShots: settings.maximumShots ?? .max,
                minimumLuma: settings.minimumLuma, clock: clock)
            files.use(TimelapsePlan(planned: planned, rate: settings.rate))
            track.change(to: try await files.openFirst(events), until: files.border)
            handle.withLock { $0 = track }
            (self.track, self.camera, self.files, self.settings, self.clock) = (track, camera, files, settings, clock)
            summary = "\(plan.summary); \(planned.summary)"
            for note in planned.notes { events.put(.warning(note)) }
            let keeper = CameraKeeper(openSince: now.running, warmUp: settings.standsBy ? Self.warmUp : nil)
            state = Locked(State(keeper: keeper, cameraName: plan.name))
        } catch {
            await camera.close()
            throw error
        }
    }

    /// The next whole second, so that the grid can be found again from the movie's date; at once where shots are closer.
    private static func anchor(at wall: MediaTime, _ interval: MediaTime) -> MediaTime {
        guard interval >= .second else { return wall }
        return (wall + .second - .nanosecond).quotient(dividingBy: .second) * .second
    }

    // MARK: Commands

    func end(_ reason: RecordingEndReason) {
        state.withLock { $0.reason = $0.reason ?? reason }
        ending.fire()
    }

    func pause(_ isPaused: Bool) {
        let hasChanged = state.withLock { state in
            guard state.reason == nil, state.isPaused != isPaused else { return false }
            state.isPaused = isPaused
            return true
        }
        guard hasChanged else { return }
        track.hold(isPaused)
        events.put(isPaused ? .paused : .resumed)
        events.put(.progress(progress))
    }

    var isPaused: Bool { state.withLock { $0.isPaused } }

    // MARK: Running

    /// Runs until the files are complete.
    func run() async -> RecordingResult {
        if let movie = track.movie {
            events.put(
                .started(movie.writer.path ?? movie.destination.path, summary: summary, shotsBefore: movie.before))
        }
        var pause = Self.looks.near
        while await !ending.wait(seconds: pause) {
            await look()
            pause = untilNext > 10 * .second ? Self.looks.far : Self.looks.near
        }
        track.hold(true)
        events.put(.finishing)
        await camera.close()
        let reason = state.withLock { $0.reason } ?? .stopped
        let last = progress
        var result = await files.finish(track.change(to: nil), reason)
        result.progress.droppedFrames = last.missed
        events.put(.finished(result, last))
        events.finish()
        return result
    }

    private func look() async {
        let now = clock()
        if let jump = track.look() { events.put(.warning(Self.words(jump))) }
        let schedule = track.schedule
        let untilNext = schedule.next(after: now.wall).map { $0 - now.wall }
        let action = state.withLock { state in
            state.looks += 1
            return state.keeper.look(
                at: now.running, state: camera.state, untilNext: state.isPaused ? nil : untilNext)
        }
        switch action {
        case .open: Task { await open() }
        case .close: await camera.close()
        case .lose(let words):
            let name = state.withLock { state in
                state.loss = (words, schedule.missed)
                return state.cameraName
            }
            events.put(
                .warning("\(name) is lost (\(words)); it is opened again as soon as it answers, and the grid stays."))
            Task { await camera.close() }
        case nil: break
        }
        await lookAtFiles()
        let progress = progress
        let isNew = state.withLock { state in
            guard state.told?.progress != progress || state.told.map({ now.running - $0.time > Self.quiet }) ?? true
            else {
                return false
            }
            state.told = (progress, now.running)
            return true
        }
        if isNew { events.put(.progress(progress)) }
        if track.schedule.isOver { return end(.maximumDurationReached) }
        if let most = settings.maximumShots, progress.shots >= most { return end(.maximumDurationReached) }
    }

    private func lookAtFiles() async {
        guard let movie = track.movie else { return }
        files.note(shots: movie.count)
        if let wall = track.waitsSince { await beginDay(at: wall) }
        if let failure = movie.writer.failure {
            switch failure {
            // The old movie is as it was.
            case MovieFileError.unsupported where movie.destination.isContinued:
                return await goOn(after: movie, because: "its frames were made with other settings")
            case MovieFileError.system(_, .fileTooLarge):
                return await goOn(after: movie, because: "its disk takes no larger file")
            default: return end(.writingFailed(movie.writer.failureWords ?? "\(failure)"))
            }
        }
        if state.withLock({ $0.looks % Self.diskEvery == 1 }) { files.refresh(movie) }
        if let loss = files.loss(of: movie) { return end(.fileLost(loss)) }
        if let free = files.freeSpace, free < settings.minimumFreeSpace { end(.minimumFreeSpaceReached) }
    }

    /// Goes on in the next file, with the shot that the one before could not take.
    private func goOn(after movie: TimelapseMovie, because words: String) async {
        do {
            let next = try await files.openNext()
            track.change(to: next, until: files.border)
            track.repeatShot()
            let path = next?.destination.path
            events.put(.warning("\(movie.destination.path) ends here, as \(words); the shots go on in \(path ?? "")."))
            files.complete(movie, before: next, events)
        } catch { end(.writingFailed("\(error)")) }
    }

    private func beginDay(at wall: MediaTime) async {
        do {
            let next = try await files.openDay(of: wall)
            let old = track.change(to: next, until: files.border)
            if let old { files.complete(old, before: next, events) }
        } catch {
            events.put(.warning("No movie of the new day can be begun (\(error)); the shots go on in the old one."))
            track.keepMovie(until: files.border)
        }
    }

    private func open() async {
        let begin = clock().running
        do {
            let (_, plan) = try await camera.open()
            let now = clock()
            let missed = track.schedule.missed
            let loss = state.withLock { state in
                state.cameraName = plan.name
                defer { state.loss = nil }
                return state.keeper.opened(at: now.running, after: now.running - begin) ? state.loss : nil
            }
            guard !ending.isFired else { return await camera.close() }
            track.ready(at: now.running + Self.settling)
            if let loss {
                let gap = max(0, missed - loss.missed)
                events.put(
                    .warning(
                        "\(plan.name) is back; \(gap) \(gap == 1 ? "shot is" : "shots are") missing, the next ones are on the grid."
                    ))
            }
        } catch {
            let now = clock().running
            let missed = track.schedule.missed
            let name = state.withLock { state -> String? in
                guard state.keeper.failed(at: now) else { return nil }
                state.loss = ("\(error)", missed)
                return state.cameraName
            }
            if let name {
                events.put(
                    .warning("\(name) could not be opened again (\(error)); it is tried again, and the grid stays."))
            }
        }
    }

    /// A camera that was just opened sends first what its queue held, and needs a moment for its exposure.
    private static let settling = MediaTime.second
    /// From opening the camera to a shot, where it stands by: a second for opening it, one for its exposure, one for a look, one more.
    private static let warmUp = 4 * MediaTime.second

    private static func words(_ jump: MediaTime) -> String {
        let seconds = Int(jump.length.seconds.rounded())
        return jump > .zero
            ? "The clock went ahead by \(seconds) s, or the machine slept; shots go on by the new time."
            : "The clock was set back by \(seconds) s; shots go on by the new time."
    }

    /// To the next shot; where none is known, long.
    private var untilNext: MediaTime {
        let now = clock().wall
        return track.schedule.next(after: now).map { $0 - now } ?? .longest
    }

    private var progress: TimelapseProgress {
        let (schedule, now) = (track.schedule, clock())
        var progress = TimelapseProgress()
        progress.dark = track.dark
        (progress.due, progress.missed) = (schedule.taken + schedule.missed, schedule.missed)
        if settings.hours == nil { progress.total = settings.slotCount }
        let (isPaused, loss) = state.withLock { ($0.isPaused, $0.loss?.words) }
        (progress.isPaused, progress.cameraLoss) = (isPaused, loss)
        if !isPaused { progress.next = schedule.next(after: now.wall).map { Date(wall: $0) } }
        let movie = track.movie
        progress.shots = movie?.count ?? files.shots
        progress.duration = MediaTime(samples: progress.shots, of: settings.rate)
        progress.bytes = files.bytes + (movie?.writer.bytesWritten ?? 0)
        return progress
    }
}

extension MediaTime {
    fileprivate var milliseconds: Int { Int((seconds * 1000).rounded()) }
}
