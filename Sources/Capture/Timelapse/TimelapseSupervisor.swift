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
    let disk = TimelapseDisk()
    let exposure = ExposureLock()
    let state: Locked<State>
    private let summary: String
    private let look: ShotLook
    /// How many shots there may be, those of before in the movie that goes on included.
    private let maximumShots: Int?
    let clock: @Sendable () -> ClockReading

    struct State {
        var keeper: CameraKeeper
        var cameraName: String
        /// Of its device file, where it has one.
        var cameraPath: String?
        /// Why no frame comes; `nil` while the camera runs.
        var loss: String?
        var isPaused = false
        var reason: RecordingEndReason?
        var looks = 0
        /// What the light of the shots is to be, and of how many shots it was looked at.
        var ramp: (curve: ExposureRamp, shots: Int)?
        /// What was told last, and when.
        var told: (progress: TimelapseProgress, time: MediaTime)?
    }
    let ending = AsyncSignal()

    /// From one look to the next, near a shot and between shots that are far apart: each wakes some threads.
    private static let looks = (near: Duration.milliseconds(500), far: Duration.seconds(2))
    /// Where nothing has changed, progress is told after so long.
    private static let quiet = 4 * MediaTime.second
    /// How often the disk is looked at, in looks.
    static let diskEvery = 4

    init(
        to destination: MovieDestination, _ settings: TimelapseSettings,
        find: @escaping @Sendable () async throws -> VideoSourcePlan
    ) async throws {
        try settings.check()
        let baseTime = Pipeline.systemTime
        let clock: @Sendable () -> ClockReading = {
            var now = ClockReading.now
            now.running -= baseTime
            return now
        }
        let files = try await TimelapseFiles(destination, settings)
        try files.check(settings, at: clock().wall)
        let handle = Locked<TimelapseTrack?>(nil)
        let camera = TimelapseCamera(
            find: find, baseTime: baseTime,
            isWanted: { time in handle.withLock { $0 }?.isWanted(time) ?? false },
            onFrame: { frame in handle.withLock { $0 }?.receive(frame) })
        let look = try await ShotLook(settings, at: clock().wall)
        self.look = look
        let (first, plan): (CaptureInput.TimedSample, VideoSourcePlan)
        do { (first, plan) = try await camera.open() } catch {
            await look.close()
            throw error
        }
        do {
            let rate = plan.dropToRate ?? plan.rate ?? first.caps.first?["framerate"]?.fractionValue
            let frameDuration = rate.map { $0.frameDuration } ?? .zero
            try Self.check(settings.interval, rate, of: plan)
            try await onOwnThread("rushes-stamp") { try look.check(first.caps, at: clock().wall) }
            let planned = try await TimelapsePlan.plan(settings, first, container: try destination.container())
            let now = clock()
            // The first shot may be what the exposure of all others is held to.
            let ready = now.moved(to: now.running + TimelapseCamera.settling)
            let schedule = ShotSchedule(
                every: settings.interval,
                from: files.anchor(at: ready.wall, settings.interval) ?? Self.anchor(at: ready.wall, settings.interval),
                begin: ready.wall, slotCount: settings.slotCount, frameDuration: frameDuration, hours: settings.hours)
            maximumShots = settings.maximumShots.map { $0 - files.earlier.count }
            let track = TimelapseTrack(
                schedule, limit: FrameBacklog.limit(of: first), maximumShots: maximumShots ?? .max,
                minimumLuma: settings.minimumLuma, clock: clock)
            track.ready(at: ready.running)
            files.use(TimelapsePlan(planned: planned, rate: settings.rate, look: look))
            track.change(to: try await files.openFirst(events), until: files.border)
            handle.withLock { $0 = track }
            (self.track, self.camera, self.files, self.settings, self.clock) = (track, camera, files, settings, clock)
            summary = "\(plan.summary); \(planned.summary)"
            for note in planned.notes { events.put(.warning(note)) }
            let keeper = CameraKeeper(openSince: now.running, warmUp: settings.standsBy ? Self.warmUp : nil)
            state = Locked(State(keeper: keeper, cameraName: plan.name, cameraPath: plan.path))
        } catch {
            await camera.close()
            await look.close()
            throw error
        }
    }

    /// - Throws: ``RushesError`` where the camera has fewer frames than there are to be shots.
    private static func check(
        _ interval: MediaTime, _ rate: Fraction?, of camera: VideoSourcePlan
    ) throws(RushesError) {
        guard let rate, rate.doubleValue > 0, interval < rate.frameDuration - rate.frameDuration / 100 else { return }
        throw RushesError(
            .invalidSettings, on: camera.name,
            "\(camera.name) gives a frame every \(rate.frameDuration.milliseconds) ms, so there is no shot every "
                + "\(interval.milliseconds) ms; choose a longer interval.")
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
        files.completeOpen(events)
        var pause = Self.looks.near
        while await !ending.wait(within: pause) {
            await observe()
            pause = untilNext > 10 * .second ? Self.looks.far : Self.looks.near
        }
        track.hold(true)
        // Shots that wait for another file are kept too.
        if track.wait != nil || track.movie?.writer.failure != nil { await updateFiles() }
        tellGap()
        events.put(.finishing)
        await releaseExposure()
        await camera.close()
        let reason = state.withLock { $0.reason } ?? .stopped
        var last = progress
        let movie = track.change(to: nil)
        last.missed = track.schedule.missed
        var result = await files.finish(movie, reason)
        result.progress.droppedFrames = last.missed
        await files.write(movie?.images, events)
        tellCut()
        await look.close()
        events.put(.finished(result, last))
        events.finish()
        return result
    }

    private func observe() async {
        let now = clock()
        if let jump = track.clockJump() { events.put(.warning(Self.words(jump))) }
        let schedule = track.schedule
        state.withLock { $0.looks += 1 }
        await tend(at: now, schedule)
        tellGap()
        await lockExposure()
        await rampExposure()
        await updateFiles()
        tellCut()
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
        if let most = maximumShots, progress.shots >= most { return end(.maximumDurationReached) }
    }

    private func tellCut() {
        if let note = look.takeCutNote() { events.put(.warning(note)) }
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
        let (isPaused, loss) = state.withLock { ($0.isPaused, $0.loss) }
        (progress.isPaused, progress.cameraLoss) = (isPaused, loss)
        if !isPaused { progress.next = schedule.next(after: now.wall).map { Date(wall: $0) } }
        let movie = track.movie
        progress.shots = movie?.count ?? files.shots
        progress.before = files.shotsBefore
        progress.total = total(progress, schedule)
        progress.duration = MediaTime(samples: progress.shots, of: settings.rate)
        progress.bytes = files.bytes + (movie?.writer.bytesWritten ?? 0)
        return progress
    }

    /// All that will be due in this run.
    private func total(_ progress: TimelapseProgress, _ schedule: ShotSchedule) -> Int? {
        guard settings.hours == nil else { return nil }
        // What was missed counts for the duration, but not for the length.
        let byLength = maximumShots.map { progress.due + max(0, $0 - progress.shots) }
        let byDuration = settings.slotCount.map { max(0, $0 - schedule.first) }
        return [byLength, byDuration].compactMap(\.self).min()
    }
}

extension MediaTime {
    fileprivate var milliseconds: Int { Int((seconds * 1000).rounded()) }
}
