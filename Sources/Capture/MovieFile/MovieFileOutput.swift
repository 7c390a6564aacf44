public import Encoding
import GStreamer

/// Records what a session's devices deliver to a movie. Takes start and end while the devices keep running.
public actor MovieFileOutput {
    private let session: CaptureSession

    public init(session: CaptureSession) { self.session = session }

    /// Starts a take. Everything that can be refused is refused here, before a file is created or touched.
    ///
    /// - Returns: the running take; its first event comes with its first picture.
    /// - Throws: ``EncodingError`` or ``CaptureError``: one sentence with the cure.
    public func startRecording(
        to destination: MovieDestination, settings: MovieSettings, limits: RecordingLimits = RecordingLimits()
    ) async throws -> Recording {
        guard await session.isRunning else {
            throw CaptureError(.notRunning, "The session does not run yet; start it before the take.")
        }
        try destination.check(needing: limits.minFreeDiskSpaceLimit)
        let requested = session.now
        let (video, sound) = (await session.video, await session.sound)
        let caps = try await video?.firstCaps()
        let planned = try await MoviePlanner(settings: settings, container: destination.container()).plan(
            pictures: caps.map { .init(caps: $0, rate: video?.plan.rate) },
            sound: sound.map { .init(caps: $0.plan.delivers, channels: $0.plan.channels, rate: AudioSourcePlan.sampleRate) })
        let writer = try MovieWriter(planned.plan, destination: destination, options: planned.options)
        try await writer.start()

        let (causes, cause) = AsyncStream.makeStream(of: RecordingEndReason.self)
        let (events, event) = AsyncStream.makeStream(of: RecordingEvent.self)
        let complete = AsyncSignal()
        let start = RecordingStart(path: destination.path, summary: planned.summary, latency: 0)
        let session = session
        let take = Take(
            writer: writer, clock: TakeClock(requested: session.now, startsWithPicture: video != nil),
            pictures: video.map { $0.gate(dropToRate: $0.plan.dropToRate) }, pictureCaps: caps,
            sound: sound.map { _ in SoundGate(delay: Nanoseconds(seconds: settings.audioDelay)) },
            pictureLimit: Self.pictureLimit(caps), maximumDuration: limits.maxRecordedDuration.map { Nanoseconds(seconds: $0) },
            onStart: {
                var start = start
                start.latency = (session.now - requested).seconds
                event.yield(.started(start))
            },
            onComplete: {
                complete.fire()
                if limits.maxRecordedDuration != nil { cause.yield(.maximumDurationReached) }
            })
        for note in planned.notes { event.yield(.warning(note)) }
        let keys = (video?.input.listen { take.receive($0) }, sound?.listen { take.receive($0) })
        let runner = TakeRunner(
            take: take, writer: writer, video: video, sound: sound, destination: destination, limits: limits, events: event,
            causes: causes, cause: cause, now: { session.now })
        let task = Task {
            let result = await runner.run { await complete.wait(seconds: $0) }
            if let key = keys.0 { video?.input.unlisten(key) }
            if let key = keys.1 { sound?.unlisten(key) }
            return result
        }
        return Recording(events: events, causes: cause, task: task)
    }

    /// How many pictures may wait for the encoder: half a second, but no more memory than 48 MB.
    private static func pictureLimit(_ caps: Caps?) -> Int {
        guard let first = caps?.first, let width = first["width"]?.intValue, let height = first["height"]?.intValue,
            first.name == "video/x-raw"
        else { return 60 }
        let rate = first["framerate"]?.fractionValue?.doubleValue ?? 30
        return max(4, min(Int(rate / 2), 48_000_000 / max(1, width * height * 2)))
    }
}

extension VideoInput {
    fileprivate func gate(dropToRate: Fraction?) -> PictureGate {
        let rate = plan.rate?.doubleValue ?? 30
        return PictureGate(
            frameDuration: Nanoseconds(seconds: 1 / max(rate, 0.01)), needsKeyFrame: plan.encoding != nil,
            grid: dropToRate.map { Nanoseconds(seconds: 1 / max($0.doubleValue, 0.001)) })
    }
}
