import Encoding
import Errors
import GStreamer
import LiveActivity
import MediaTypes
import MovieFiles
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
    let summary: String
    let look: ShotLook
    /// How many shots there may be, those of before in the movie that goes on included.
    let maximumShots: Int?
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
}

extension MediaTime {
    fileprivate var milliseconds: Int { Int((seconds * 1000).rounded()) }
}
