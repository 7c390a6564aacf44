import Encoding
import Errors
import GStreamer
import Threads

/// The devices that run together, on one clock. Outputs come and go while they run.
public actor CaptureSession {
    /// What runs, changed as a whole by ``configure(_:)``.
    public struct Configuration: Sendable, Equatable {
        /// Up to four cameras, the main one first; the frames of several are composed into one. Empty: no video.
        public var cameras: [VideoSourcePlan] = []
        /// The main camera. `nil`: no video.
        public var camera: VideoSourcePlan? {
            get { cameras.first }
            set { cameras = newValue.map { [$0] + cameras.dropFirst() } ?? [] }
        }
        /// Up to four microphones, the main one first; each is recorded to a track of its own, or all are mixed into one. Empty: no audio.
        public var microphones: [AudioSourcePlan] = []
        /// The main microphone. `nil`: no audio.
        public var microphone: AudioSourcePlan? {
            get { microphones.first }
            set { microphones = newValue.map { [$0] + microphones.dropFirst() } ?? [] }
        }

        /// Neither camera nor microphone.
        package init() {}
    }

    /// What is open while the session runs.
    struct Running: Sendable {
        var video: [VideoFeed] = []
        var audio: [AudioFeed] = []

        var isEmpty: Bool { video.isEmpty && audio.isEmpty }
    }

    /// The present configuration.
    public internal(set) var configuration = Configuration()
    /// Indices of the microphones that were muted or unmuted since the current change of the configuration began.
    var mutedMeanwhile: Set<Int> = []
    /// `nil` while the session does not run.
    private(set) var running: Running? {
        didSet {
            frames.follow(running?.video.first)
            cameras.follow(running?.video ?? [])
            audio.follow(running?.audio ?? [])
        }
    }
    /// The main camera's frames, or the composed ones.
    let frames = SessionFrames()
    /// The microphones' audio.
    let audio = SessionAudio()
    /// The frames that photos are taken from.
    let photoFrames: PhotoFrames
    /// Each camera's own, for photos of one of several.
    let cameras = SessionCameras()
    /// The outputs that were added.
    nonisolated let outputs = Locked<[any AttachableOutput]>([])
    /// Whether the devices are open and deliver.
    public var isRunning: Bool { running != nil }
    /// The system clock's time that is the session's time zero.
    let baseTime: MediaTime
    /// Opening and closing devices waits, and two of these at a time would open one device twice.
    private let changes = AsyncLock()

    /// A session without devices, which does not run yet.
    public init() {
        baseTime = Pipeline.systemTime
        photoFrames = PhotoFrames(frames)
        // So that the load of the machine is known when a recording starts.
        ProcessorWatch.shared.sample()
    }

    /// The session's running time now.
    nonisolated var now: MediaTime { Pipeline.systemTime - baseTime }

    /// Changes the configuration.
    ///
    /// Before ``start()`` it is only stored, and no device is opened. While the session runs, a device whose plan stays the same
    /// continues without interruption, except for a single camera whose frames cannot be composed when others are added: it is reopened.
    ///
    /// A camera that replaces another is opened first, its frames then follow the other's, and only then is that one closed:
    /// recordings continue, reported as ``RecordingEvent/switchedCamera(_:)``, and the new camera's frames are turned and fitted into their
    /// movies. The same camera in another mode is closed before, so that the last frame lasts until it is open again. Only a recording that
    /// copies a camera's compressed stream ends with it, as ``RecordingEndReason/deviceLost(_:_:)``. A microphone's gain and mute change at once; one
    /// that is exchanged is lost for the recordings that have it.
    ///
    /// If a device cannot be opened, the previous ones go on and an error is thrown; one that had to be closed and cannot be opened again
    /// is then missing from ``configuration``, and if there is no other, ``isRunning`` is false.
    ///
    /// - Throws: ``RushesError`` if a device cannot be opened, or the cameras cannot run together; what the closure throws. In
    ///   the last two cases nothing has changed. `CancellationError` if the task is cancelled meanwhile; then too the previous devices go on.
    public func configure(_ change: (inout Configuration) throws -> Void) async throws {
        await changes.lock()
        defer { changes.unlock() }
        mutedMeanwhile = []
        var wanted = configuration
        try change(&wanted)
        try wanted.check()
        guard let feeds = running else {
            configuration = wanted
            return
        }
        let old = configuration
        do {
            try await open(wanted, keeping: feeds)
        } catch {
            // Also where the task was cancelled: what ran goes on.
            await Task { try? await open(old, keeping: running ?? feeds) }.value
            // The old device may be gone too by now: what is said to be in force is what runs.
            configuration.cameras = running?.video.map(\.asked) ?? []
            configuration.microphones = configuration.microphones.filter { plan in
                running?.audio.contains { $0.plan.opensLike(plan) } == true
            }
            if running?.isEmpty == true, old.camera != nil || old.microphone != nil { running = nil }
            throw RushesError.published(error, as: .deviceFailed)
        }
    }

    /// Opens the devices, all at once, and starts their delivery.
    ///
    /// - Throws: ``RushesError`` with what keeps a device from opening; then none is left open.
    public func start() async throws {
        await changes.lock()
        defer { changes.unlock() }
        guard running == nil else { return }
        mutedMeanwhile = []
        do { try await open(configuration, keeping: Running()) } catch {
            await close()
            throw RushesError.published(error, as: .deviceFailed)
        }
    }

    /// Closes the devices. What is recording ends with what came until now, as ``RecordingEndReason/stopped``.
    public func stop() async {
        await changes.lock()
        defer { changes.unlock() }
        await close()
    }

    private func close() async {
        guard let closing = running else { return }
        running = nil
        await Self.stop(closing, as: .ended)
    }

    private static func stop(_ feeds: Running, as state: FeedState) async {
        // All of them before any is closed: a recording that checks in between would report the first one as lost.
        for feed in feeds.video { feed.end(as: state) }
        for feed in feeds.audio { feed.input.end(as: state) }
        await withTaskGroup(of: Void.self) { group in
            for feed in feeds.video { group.addTask { await feed.stop() } }
            for feed in feeds.audio { group.addTask { await feed.input.stop() } }
        }
    }

    /// Opens what is wanted and not open, closes what is open and not wanted. From then on the session runs, with what could be
    /// opened.
    private func open(_ wanted: Configuration, keeping current: Running) async throws {
        var unwanted = current
        let isComposed = wanted.cameras.count > 1
        var cameras = wanted.cameras.map { plan in
            let open = unwanted.video.firstIndex {
                $0.asked == plan && (!isComposed || $0.isComposable || plan.composable == plan.nodes)
            }
            return Wanted(plan: plan, open: open.map { unwanted.video.remove(at: $0) })
        }
        // What is left in a camera's place is followed by the new one.
        for index in cameras.indices where cameras[index].open == nil {
            guard let feed = current.video.dropFirst(index).first, feed.isComposable || !isComposed,
                feed.canSwitch(to: cameras[index].plan), let old = unwanted.video.firstIndex(where: { $0 === feed })
            else { continue }
            (cameras[index].open, cameras[index].isSwitch) = (unwanted.video.remove(at: old), true)
        }
        let microphones = wanted.microphones.map { plan in
            let open = unwanted.audio.firstIndex { $0.plan.opensLike(plan) }
            return Wanted(plan: plan, open: open.map { unwanted.audio.remove(at: $0) })
        }
        // One device may be opened again in another mode, so the old one is closed first.
        await Self.stop(unwanted, as: .lost("it was closed"))
        async let video = Self.opened(cameras) { [baseTime] camera in
            guard let feed = camera.open else {
                return try await Self.feed(camera.plan, isComposable: isComposed, baseTime)
            }
            if camera.isSwitch { try await feed.switchCamera(to: camera.plan) }
            return feed
        }
        async let audio = Self.opened(microphones) { [baseTime] microphone in
            guard let feed = microphone.open else { return try await Self.feed(microphone.plan, baseTime) }
            return feed
        }
        let (opened, received) = await (video, audio)
        // All are kept before an error is thrown, so that whoever closes closes all.
        let feeds = Running(video: opened.compactMap(\.feed), audio: received.compactMap(\.feed))
        running = feeds
        if let error = (opened.compactMap(\.error) + received.compactMap(\.error)).first { throw error }
        var new = wanted
        new.takeOverMutes(mutedMeanwhile, of: configuration)
        for (feed, plan) in zip(feeds.audio, new.microphones) { feed.setGain(of: plan) }
        configuration = new
    }
}
