import Threads
public import Encoding
import GStreamer
import LiveActivity

/// Records what a session's devices deliver to a movie. Takes start and end while the devices keep running.
public actor MovieFileOutput {
    private let session: CaptureSession

    /// - Parameter session: whose devices are recorded; it has to run when a take starts.
    public init(session: CaptureSession) { self.session = session }

    /// Starts a take. Everything that can be refused is refused here, before a file is created or touched.
    ///
    /// - Returns: the running take; its first event comes with its first picture.
    /// - Throws: ``EncodingError`` or ``CaptureError``: one sentence with the cure. `CancellationError` if the task is
    ///   cancelled before the take has begun.
    public func startRecording(
        to destination: MovieDestination, settings: MovieSettings, limits: RecordingLimits = RecordingLimits()
    ) async throws -> Recording {
        let requested = session.now
        let (video, sound) = try await devices()
        // A network disk may take its time to say whether it is there.
        try await onOwnThread("rushes-destination") { try destination.check(needing: limits.minFreeDiskSpaceLimit) }
        ProcessorWatch.shared.look()
        let first = try await video?.firstPicture()
        let caps = first?.caps
        await sound?.firstSamples()
        let planned = try await MoviePlanner(settings: settings, container: destination.container()).plan(
            pictures: caps.map { .init(caps: $0, rate: video?.plan.rate) },
            sound: sound.map {
                .init(caps: $0.plan.delivers, channels: $0.plan.channels, rate: AudioSourcePlan.sampleRate)
            }, trying: first?.buffer)
        let writer = try MovieWriter(planned.plan, destination: destination, options: planned.options)
        try await writer.start()

        // From here on nothing is thrown: what goes wrong ends the take, and its result says so.
        let (causes, cause) = AsyncStream.makeStream(of: RecordingEndReason.self, bufferingPolicy: .bufferingOldest(1))
        let (events, complete, session) = (Mailbox<RecordingEvent>(), AsyncSignal(), session)
        let name = video?.plan.name ?? "The camera"
        let take = Take(
            writer: writer,
            clock: TakeClock(
                startsWithPicture: video != nil,
                maximumDuration: limits.maxRecordedDuration.map { Nanoseconds(seconds: $0) }),
            pictures: video?.gate(caps), pictureCaps: caps,
            sound: sound.map {
                SoundTrack(
                    rate: AudioSourcePlan.sampleRate, channels: $0.plan.channels,
                    delay: Nanoseconds(seconds: settings.audioDelay - planned.unmarkedPriming))
            },
            pictureLimit: first.map { Self.pictureLimit($0) } ?? 1,
            onChange: { new in
                guard let change = PictureChange(from: caps, to: new) else { return true }
                events.put(.warning(change.words(camera: name)))
                if change.isEnd { cause.yield(.deviceLost(name, change.reason)) }
                return !change.isEnd
            },
            onStart: {
                let latency = (session.now - requested).seconds
                events.put(.started(.init(path: destination.path, summary: planned.summary, latency: latency)))
            },
            onComplete: {
                complete.fire()
                // Nobody asked for an end that all tracks have reached by themselves.
                cause.yield(.maximumDurationReached)
            })
        for note in planned.notes { events.put(.warning(note)) }
        let noticeKey = sound?.input.listen(forNotices: { events.put(.warning($0)) })
        for notice in sound?.input.standing ?? [] { events.put(.warning(notice)) }
        // The sound first, so that none is missing at the beginning, however long this takes.
        let soundKey = sound?.listen { take.receive($0) }
        take.request(at: session.now)
        let pictureKey = video?.input.listen { take.receive($0) }
        let runner = TakeRunner(
            take: take, writer: writer, video: video, sound: sound,
            lostBefore: video?.lostPictures ?? 0, limits: limits,
            disk: DiskSpace(destination.folder) { writer.whereabouts },
            path: destination.path,
            events: events, causes: causes, cause: cause, complete: complete, now: { session.now })
        let task = Task {
            let result = await runner.run()
            if let pictureKey { video?.input.unlisten(pictureKey) }
            if let soundKey { sound?.unlisten(soundKey) }
            if let noticeKey { sound?.input.unlistenForNotices(noticeKey) }
            return result
        }
        return Recording(
            events: events.stream, causes: cause,
            mark: { title in
                if let chapter = take.mark(title, at: session.now) { events.put(.marked(chapter)) }
            }, place: { writer.path }, task: task)
    }

    private func devices() async throws -> (VideoInput?, SoundInput?) {
        guard await session.isRunning else {
            throw CaptureError(.notRunning, "The session does not run yet; start it before the take.")
        }
        let devices = (await session.video, await session.sound)
        guard devices.0 != nil || devices.1 != nil else {
            throw CaptureError(.badSource, "There is neither a camera nor a microphone to record; choose one of them.")
        }
        return devices
    }

    /// How many pictures may wait for the encoder.
    private static func pictureLimit(_ first: CaptureInput.TimedSample) -> Int {
        FrameBacklog.limit(
            rate: first.caps.first?["framerate"]?.fractionValue?.doubleValue ?? 30, frameBytes: first.buffer.byteCount,
            freeMemory: FreeMemory.bytes)
    }
}

extension VideoInput {
    fileprivate func gate(_ caps: Caps?) -> PictureGate {
        let rate = plan.rate ?? caps?.first?["framerate"]?.fractionValue
        return PictureGate(
            frameDuration: (rate ?? Fraction(30)).frameDuration, needsKeyFrame: plan.encoding != nil,
            grid: plan.dropToRate?.frameDuration, isPromised: (rate?.doubleValue ?? 0) > 0)
    }
}

extension Fraction {
    /// A second where the rate is not known (0): some cameras give a picture in several seconds, and promise it.
    var frameDuration: Nanoseconds { doubleValue > 0 ? Nanoseconds(seconds: 1 / doubleValue) : .second }
}
