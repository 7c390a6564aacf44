public import Encoding
import Errors
import GStreamer
public import Imaging
import LiveActivity
import MediaTypes
import Threads

/// Records what a session's devices deliver to movies. Recordings start and end while the devices keep running.
public actor MovieFileOutput {
    private var session: CaptureSession?
    private var layout = Layout(.corner(.bottomRight))

    /// An output to be added to a session, by ``CaptureSession/addOutput(_:)``.
    public init() {}

    /// - Throws: ``RushesError`` if it is another session's.
    func attach(to session: CaptureSession) throws {
        guard self.session == nil || self.session === session else {
            throw RushesError.otherSession
        }
        self.session = session
    }

    /// Where the frames of several cameras stand in the movie that is started next; the bottom right corner has the insets unless
    /// set. A running one is changed by ``Recording/setLayout(_:over:)``.
    public func setLayout(_ layout: Layout) { self.layout = layout }

    /// Starts a recording. Everything that can be refused is refused here, before a file is created or touched.
    ///
    /// - Parameter eachCamera: the settings of a movie for each of several cameras, "take – HD Webcam.mov", written in the same pass
    ///   beside the composed one and with its audio, so that of these settings only those of the video count; `nil` for none.
    /// - Returns: the running recording; its first event comes with its first frame.
    /// - Throws: ``RushesError`` if it belongs to no session, or that does not run, has no device, or its camera gives no frame,
    ///   or if the destination or the settings cannot be used; if GStreamer refuses the pipeline, its own error. Each
    ///   describes itself in one sentence with the cure. `CancellationError` if the task is cancelled while the
    ///   first frame is waited for; later, cancelling does not end the recording.
    public func startRecording(
        to destination: MovieDestination, settings: MovieSettings = MovieSettings(),
        limits: RecordingLimits = RecordingLimits(), eachCamera: MovieSettings? = nil
    ) async throws -> Recording {
        try await record(to: destination, settings, limits, eachCamera: eachCamera, preRoll: nil)
    }

    /// Prepares a recording that waits for ``Recording/start()``: devices and encoders run, and no file is made before. Told as
    /// ``RecordingEvent/standby(_:)``. Everything that can be refused is refused here, as by
    /// ``startRecording(to:settings:limits:eachCamera:)``.
    ///
    /// - Parameters:
    ///   - preRoll: how much of what lies before the start is in the movie; it begins with the key frame before, two seconds more at most
    ///     of what is encoded here. As much is kept in memory, encoded, in a quarter of what is free at most.
    /// - Throws: as ``startRecording(to:settings:limits:eachCamera:)``.
    public func prepareRecording(
        to destination: MovieDestination, settings: MovieSettings = MovieSettings(),
        limits: RecordingLimits = RecordingLimits(), preRoll: Duration = .zero
    ) async throws -> Recording {
        try await record(to: destination, settings, limits, eachCamera: nil, preRoll: MediaTime(preRoll))
    }

    /// The same for a start that is known a little late.
    ///
    /// - Parameters:
    ///   - margin: by how much at most; as much more is kept, and that it is not there is not told.
    ///   - keptFiles: of all recordings that follow each other, where they stay within `maxKeptFileSize` together.
    package func prepareRecording(
        to destination: MovieDestination, settings: MovieSettings, limits: RecordingLimits, preRoll: Duration,
        margin: Duration, keptFiles: KeptFiles? = nil
    ) async throws -> Recording {
        try await record(
            to: destination, settings, limits, eachCamera: nil, preRoll: MediaTime(preRoll + margin),
            margin: MediaTime(margin), keptFiles: keptFiles)
    }

    /// - Parameter preRoll: `nil` for a take that begins at once.
    private func record(
        to destination: MovieDestination, _ settings: MovieSettings, _ limits: RecordingLimits,
        eachCamera: MovieSettings?, preRoll: MediaTime?, margin: MediaTime = .zero, keptFiles: KeptFiles? = nil
    ) async throws -> Recording {
        guard let session else {
            throw RushesError(.notRunning, "The output belongs to no session; add it to one before it records.")
        }
        try limits.checkRanges()
        let requested = Locked(session.now)
        let (limits, note) = await limits.fitting(destination, isOneFile: eachCamera != nil)
        let setup = try await RecordingSetup(
            session, to: destination, settings, limits, layout: layout, eachCamera: eachCamera, preRoll: preRoll)
        try await setup.start()

        // From here on nothing is thrown: what goes wrong ends the take, and its result says so.
        let (video, audio, caps) = (setup.video, setup.audio, setup.first?.caps)
        let (events, reports) = (Mailbox<RecordingEvent>(), RecordingReports())
        let camera = video?.plan.identity
        let place = Locked(destination)
        let start = { @Sendable [summary = setup.planned.summary] in
            let latency = (session.now - requested.withLock { $0 }).seconds
            return RecordingStart(path: place.withLock { $0.path }, summary: summary, latency: latency)
        }
        let take = RunningRecording(
            writer: setup.writer,
            timeline: RecordingTimeline(
                startsWithVideo: video != nil,
                // Counted from its start, one that waits for that has none yet.
                maximumDuration: preRoll == nil ? limits.maxRecordedDuration.map { MediaTime($0) } : nil),
            frames: video?.selector(caps, isReordered: setup.first?.isReordered == true), videoCaps: caps,
            audio: audio.map {
                AudioTrack(
                    rate: AudioSourcePlan.sampleRate, channels: $0.plan.channels,
                    delay: MediaTime(settings.audioDelay) - MediaTime(seconds: setup.planned.unmarkedPriming))
            }, mix: setup.mix,
            cameras: setup.cameraTracks, losses: setup.composition?.rates.map { CameraLosses(rate: $0) } ?? [],
            frameLimit: setup.first.map { FrameBacklog.limit(of: $0) } ?? 1,
            start: preRoll == nil ? .atOnce : .standby,
            onChange: { [weak video] frame in
                let limit = FrameBacklog.limit(of: frame)
                guard let change = FrameChange(from: caps, to: frame.caps) else { return .go(frameLimit: limit) }
                let plan = video?.plan
                let name = plan?.name ?? "The camera"
                events.put(
                    .warning(plan?.identity == camera ? change.words(camera: name) : change.switchWords(camera: name)))
                if change.isEnd { reports.put(.end(.deviceLost(name, change.reason))) }
                return change.isEnd ? .end : .go(frameLimit: limit)
            },
            onArm: { if preRoll != nil { events.put(.standby(start())) } },
            onStart: { events.put(.started(start())) },
            onComplete: { reports.put(.tracksComplete) })
        // The writer outlives neither, and is held by one of them.
        setup.takeDates { [weak take, weak writer = setup.writer, date = setup.date] time in
            take.flatMap { date.date(at: time, $0.timeline, begin: writer?.movieBegin ?? .zero) }
        }
        for note in setup.notes + [note].compactMap(\.self) { events.put(.warning(note)) }
        let noticeKeys = audio.map { $0.input.listen(forNotices: { events.put(.warning($0)) }) }
        for notice in audio.flatMap(\.input.standing) { events.put(.warning(notice)) }
        // The audio first, so that none is missing at the beginning, however long this takes.
        let audioKeys = audio.enumerated().map { index, microphone in
            microphone.listen { take.receive($0, of: index, now: session.now) }
        }
        if setup.hasCameraMovies {
            setup.composition?.listenToCameras { take.receive($0.frame, camera: $0.camera) }
        }
        setup.composition?.listenToArrivals { take.note($0) }
        setup.composition?.listenToLosses { take.count($0.loss, of: $0.camera) }
        setup.composition?.listenToChanges { events.put(.warning($0)) }
        take.request(at: session.now + setup.lead)
        let lossKey = video?.listenForLosses { take.count($0) }
        let videoKey = video?.listen { take.receive($0) }
        if let composition = setup.composition { session.frames.follow(composition) }
        let supervisor = RecordingSupervisor(
            take, setup, limits, place, events, reports, preRoll: preRoll, preRollMargin: margin,
            keptFiles: keptFiles,
            onBegin: { time in requested.withLock { $0 = time } }, now: { session.now })
        let task = Task { [composition = setup.composition] in
            let result = await supervisor.run()
            if let videoKey { video?.unlisten(videoKey) }
            if let lossKey { video?.unlistenForLosses(lossKey) }
            if let composition {
                session.frames.leave(composition)
                composition.close()
            }
            for (microphone, key) in zip(audio, audioKeys) { microphone.unlisten(key) }
            for (microphone, key) in zip(audio, noticeKeys) { microphone.input.unlistenForNotices(key) }
            return result
        }
        return Recording(supervisor, task)
    }
}

extension MovieFileOutput: CaptureOutput, AttachableOutput {}
