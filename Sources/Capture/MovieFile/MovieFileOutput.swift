import Errors
import FileSystem
import Threads
public import Encoding
import GStreamer
public import Imaging
import LiveActivity

/// Records what a session's devices deliver to movies. Recordings start and end while the devices keep running.
public actor MovieFileOutput {
    private var session: CaptureSession?
    private var layout = Layout(.corner(.bottomRight))

    /// An output to be added to a session, by ``CaptureSession/addOutput(_:)``.
    public init() {}

    /// - Throws: ``RushesError`` if it is another session's.
    func attach(to session: CaptureSession) throws {
        guard self.session == nil || self.session === session else {
            throw RushesError(.badSource, "The output was added to another session; make one for each.")
        }
        self.session = session
    }

    /// Where the frames of several cameras stand in the movie that is started next; the bottom right corner has the insets unless
    /// set. A running one is changed by ``Recording/setLayout(_:over:)``.
    public func setLayout(_ layout: Layout) { self.layout = layout }

    /// Starts a take. Everything that can be refused is refused here, before a file is created or touched.
    ///
    /// - Parameter eachCamera: the settings of a movie for each of several cameras, "take – HD Webcam.mov", written in the same pass
    ///   beside the composed one and with its audio; `nil` for none.
    /// - Returns: the running take; its first event comes with its first frame.
    /// - Throws: ``RushesError`` if it belongs to no session, or that does not run, has no device, or its camera gives no frame,
    ///   or if the destination or the settings cannot be had; if GStreamer refuses the pipeline, its own error. Each
    ///   describes itself in one sentence with the cure. `CancellationError` if the task is cancelled while the
    ///   first frame is waited for; later, cancelling does not end the recording.
    public func startRecording(
        to destination: MovieDestination, settings: MovieSettings = MovieSettings(),
        limits: RecordingLimits = RecordingLimits(), eachCamera: MovieSettings? = nil
    ) async throws -> Recording {
        guard let session else {
            throw RushesError(.notRunning, "The output belongs to no session; add it to one before it records.")
        }
        let requested = session.now
        let (cameras, audio) = try await Self.feeds(of: session)
        let composition =
            cameras.count > 1 ? CompositionFeed(cameras, layout: layout) { session.now } : nil
        let video: (any FrameInput)? = composition ?? cameras.first
        // A network disk may take its time to say whether it is there.
        try await onOwnThread("rushes-destination") { try destination.check(needing: limits.minFreeDiskSpaceLimit) }
        ProcessorWatch.shared.look()
        let first = try await video?.firstFrame()
        try composition?.check(layout)
        let caps = first?.caps
        await audio?.firstSamples()
        let shares = eachCamera.flatMap { _ in composition?.sizes.map { CameraMoviePlan.shares(cameras, $0) } }
        let planned = try await MoviePlanner(
            settings: settings, container: destination.container(), share: shares?.first ?? 1
        ).plan(
            frames: caps.map { .init(caps: $0, rate: video?.plan.rate) },
            audio: audio.map {
                .init(caps: $0.plan.delivers, channels: $0.plan.channels, rate: AudioSourcePlan.sampleRate)
            }, trying: first?.buffer)
        var own: [CameraMoviePlan] = []
        if let eachCamera {
            guard let shares else {
                throw RushesError(.invalidSettings, "Only one of several cameras gets a movie of its own.")
            }
            guard limits.maxPartDuration == nil, limits.maxPartFileSize == nil else {
                throw RushesError(
                    .invalidSettings, "Movies of each camera are not divided into parts; choose one of the two.")
            }
            own = try await CameraMoviePlan.plans(
                cameras, beside: planned, at: destination, eachCamera, shares: Array(shares.dropFirst()),
                needing: limits.minFreeDiskSpaceLimit)
        }
        let writer = try MovieWriter(planned.plan, destination: destination, options: planned.options)
        let others = try own.map { try $0.writer(sharingAudioOf: writer) }
        try await Self.start([writer] + others.map(\.writer))

        // From here on nothing is thrown: what goes wrong ends the take, and its result says so.
        let (events, reports) = (Mailbox<RecordingEvent>(), RecordingReports())
        let name = video?.plan.name ?? "The camera"
        let take = RunningRecording(
            writer: writer,
            timeline: RecordingTimeline(
                startsWithVideo: video != nil,
                maximumDuration: limits.maxRecordedDuration.map { MediaTime($0) }),
            frames: video?.selector(caps), videoCaps: caps,
            audio: audio.map {
                AudioTrack(
                    rate: AudioSourcePlan.sampleRate, channels: $0.plan.channels,
                    delay: MediaTime(settings.audioDelay) - MediaTime(seconds: planned.unmarkedPriming))
            },
            cameras: zip(own, others).map { $0.track(to: $1) },
            frameLimit: first.map { FrameBacklog.limit(of: $0) } ?? 1,
            onChange: { new in
                guard let change = FrameChange(from: caps, to: new) else { return true }
                events.put(.warning(change.words(camera: name)))
                if change.isEnd { reports.put(.end(.deviceLost(name, change.reason))) }
                return !change.isEnd
            },
            onStart: {
                let latency = (session.now - requested).seconds
                events.put(.started(.init(path: destination.path, summary: planned.summary, latency: latency)))
            },
            onComplete: { reports.put(.tracksComplete) })
        for note in planned.notes + own.flatMap(\.notes) { events.put(.warning(note)) }
        let noticeKey = audio?.input.listen(forNotices: { events.put(.warning($0)) })
        for notice in audio?.input.standing ?? [] { events.put(.warning(notice)) }
        // The audio first, so that none is missing at the beginning, however long this takes.
        let audioKey = audio?.listen { take.receive($0, now: session.now) }
        // A camera's own movie begins with the frame that is to be seen at that moment, so one has to come before.
        let lead = own.map(\.frameDuration).max() ?? .zero
        if !others.isEmpty { composition?.listenToCameras { take.receive($0.frame, camera: $0.camera) } }
        take.request(at: session.now + min(lead, .second))
        let videoKey = video?.listen { take.receive($0) }
        let supervisor = RecordingSupervisor(
            take, writer, RecordingParts(writer, destination, planned.options, limits, events), video: video,
            audio: audio,
            limits: limits, destination: destination, events: events, reports: reports,
            now: { session.now }, composition: composition, cameras: others)
        let task = Task {
            let result = await supervisor.run()
            if let videoKey { video?.unlisten(videoKey) }
            composition?.close()
            if let audioKey { audio?.unlisten(audioKey) }
            if let noticeKey { audio?.input.unlistenForNotices(noticeKey) }
            return result
        }
        return Recording(supervisor, task)
    }

    private static func feeds(of session: CaptureSession) async throws -> ([VideoFeed], AudioFeed?) {
        guard let running = await session.running else {
            throw RushesError(.notRunning, "The session does not run yet; start it before the take.")
        }
        let feeds = (running.video, running.audio.first)
        guard !running.isEmpty else {
            throw RushesError(.badSource, "There is neither a camera nor a microphone to record; choose one of them.")
        }
        return feeds
    }

    /// Starts all writers, or none.
    private static func start(_ writers: [MovieWriter]) async throws {
        for (index, writer) in writers.enumerated() {
            do { try await writer.start() } catch {
                for started in writers[..<index] { await started.cancel() }
                throw error
            }
        }
    }
}

extension CaptureSession {
    /// Adds an output, which records what the session's devices deliver; before or after ``start()``. Once is enough.
    ///
    /// - Throws: ``RushesError`` if it was added to another session.
    public nonisolated func addOutput(_ output: MovieFileOutput) async throws { try await output.attach(to: self) }
}
