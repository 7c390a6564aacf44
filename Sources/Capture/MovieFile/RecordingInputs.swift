import Encoding
import LiveActivity
import MediaTypes
import Threads

/// What a recording listens to until it is over: its microphones, and its camera or the composition of several.
struct RecordingInputs: Sendable {
    private let (video, composition): ((any FrameInput)?, CompositionFeed?)
    private let audio: [AudioFeed]
    private let frames: SessionFrames
    private let (videoKey, lossKey): (Int?, Int?)
    private let (audioKeys, noticeKeys): ([Int], [Int])

    /// Listens from now on, and lets the recording begin.
    init(
        _ setup: RecordingSetup, of session: CaptureSession, to take: RunningRecording,
        _ events: Mailbox<RecordingEvent>
    ) {
        (video, composition, audio, frames) = (setup.video, setup.composition, setup.audio, session.frames)
        noticeKeys = audio.map { $0.input.listen(forNotices: { events.put(.warning($0)) }) }
        for notice in audio.flatMap(\.input.standing) { events.put(.warning(notice)) }
        // The audio first, so that none is missing at the beginning, however long this takes.
        audioKeys = audio.enumerated().map { index, microphone in
            microphone.listen { take.receive($0, of: index, now: session.now) }
        }
        if setup.hasCameraMovies {
            composition?.listenToCameras { take.receive($0.frame, camera: $0.camera) }
        }
        composition?.listenToArrivals { take.note($0) }
        composition?.listenToLosses { take.count($0.loss, of: $0.camera) }
        composition?.listenToLateFrames { take.countLate($0) }
        composition?.listenToChanges { events.put(.warning($0)) }
        take.request(at: session.now + setup.lead)
        lossKey = video?.listenForLosses { take.count($0) }
        videoKey = video?.listen { take.receive($0) }
        if let composition { frames.follow(composition) }
    }

    /// Listens no more; a composition ends.
    func close() {
        if let videoKey { video?.unlisten(videoKey) }
        if let lossKey { video?.unlistenForLosses(lossKey) }
        if let composition {
            frames.leave(composition)
            composition.close()
        }
        for (microphone, key) in zip(audio, audioKeys) { microphone.unlisten(key) }
        for (microphone, key) in zip(audio, noticeKeys) { microphone.input.unlistenForNotices(key) }
    }
}

extension RunningRecording {
    /// The recording of what has been set up.
    ///
    /// - Parameter maximumDuration: of the movie; `nil` for one without.
    convenience init(
        _ setup: RecordingSetup, maximumDuration: MediaTime?, start: StartPoint,
        _ events: Mailbox<RecordingEvent>, _ reports: RecordingReports,
        onArm: @escaping @Sendable () -> Void, onStart: @escaping @Sendable () -> Void
    ) {
        let (video, caps) = (setup.video, setup.first?.caps)
        let camera = video?.plan.identity
        self.init(
            writer: setup.writer,
            timeline: RecordingTimeline(
                startsWithVideo: video != nil, maximumDuration: maximumDuration,
                isReordered: setup.first?.isReordered == true),
            frames: video?.selector(caps, reorderedSamples: setup.first?.reorderedSamples ?? 0), videoCaps: caps,
            audio: setup.audio.map {
                AudioTrack(
                    rate: AudioSourcePlan.sampleRate, channels: $0.plan.channels,
                    delay: MediaTime(setup.audioDelay) - setup.planned.unmarkedPriming)
            }, mix: setup.mix,
            cameras: setup.cameraTracks, losses: setup.composition?.rates.map { CameraLosses(rate: $0) } ?? [],
            frameLimit: setup.first.map { FrameBacklog.limit(of: $0) } ?? 1,
            start: start,
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
            onArm: onArm, onStart: onStart, onComplete: { reports.put(.tracksComplete) })
        // The writer outlives neither, and is held by one of them.
        setup.takeDates { [weak self, weak writer = setup.writer, date = setup.date] time in
            self.flatMap { date.date(at: time, $0.timeline, begin: writer?.movieBegin ?? .zero) }
        }
    }
}
