import Encoding
import Errors
import Foundation
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import Threads

/// What a recording is made of: which feeds, which encoders take them, which files hold their packets. All that can be refused
/// has been, and nothing has been created yet.
struct RecordingSetup: Sendable {
    /// One camera, or the composition of several.
    let video: (any FrameInput)?
    let composition: CompositionFeed?
    /// The microphones, the main one first.
    let audio: [AudioFeed]
    /// What makes one track of their audio; `nil` where each has its own.
    let mix: MicrophoneMix?
    /// What the frames are; `nil` without a camera. Not to be kept: a device has few buffers.
    let first: CaptureInput.TimedSample?
    let planned: MoviePlanner.Planned
    let writer: MovieWriter
    /// Frames that its encoder has handed out.
    let encodedFrames: @Sendable () -> Int?
    /// Each camera's own movie, where those are asked for.
    let cameras: [(plan: CameraMoviePlan, writer: CameraWriter)]
    /// As the settings say.
    let audioDelay: Duration
    /// When its frames are taken.
    let date: RecordingDate
    /// What was found to be too much for the machine, or for the container.
    private let ownNotes: [String]

    /// - Throws: ``RushesError`` if the session does not run, has no device, or its camera gives no frame, or if a destination or
    ///   the settings cannot be had; GStreamer's own error if it refuses a pipeline. `CancellationError`.
    init(
        _ session: CaptureSession, to destination: MovieDestination, _ settings: MovieSettings,
        _ limits: RecordingLimits, layout: Layout, eachCamera: MovieSettings?, preRoll: PreRoll? = nil
    ) async throws {
        let running = try await Self.devices(of: session)
        try Self.checkDelay(settings)
        audioDelay = settings.audioDelay
        date = RecordingDate(settings.metadata.creationDate) { session.now }
        var (settings, eachCamera) = (settings, eachCamera)
        eachCamera?.metadata.creationDate = settings.metadata.creationDate
        if eachCamera != nil { try Self.checkSeparate(running.video.count, limits, isStandby: preRoll != nil) }
        let feeds = running.video
        let container = try destination.container()
        if !feeds.isEmpty { try ContainerRules.checkVideo(in: container) }
        let composition =
            feeds.count > 1
            ? CompositionFeed(feeds, layout: layout, keepsChroma: settings.keepsChroma) { session.now } : nil
        let video: (any FrameInput)? = composition ?? feeds.first
        let audio = running.audio
        // Of one camera the movie is the camera's own.
        if composition == nil, settings.orientation == .upright, let camera = feeds.first {
            settings.orientation = camera.plan.orientation
        }
        // A network disk may take its time to say whether it is there.
        try await onOwnThread("rushes-destination") { try destination.check(needing: limits.minFreeDiskSpaceLimit) }
        ProcessorWatch.shared.sample()
        let table = try await settings.readLookupTable(isCopied: video?.plan.encoding != nil)
        let isMixed = audio.count > 1 && (settings.mixesMicrophones || !container.holdsSeveralAudioTracks)
        let tracks = try AudioSourcePlan.tracks(of: audio.map(\.plan), isMixed: isMixed)
        let loader = try MoviePlanner(settings: settings, container: container)
        // The devices open meanwhile.
        async let loading: Void = onOwnThread("rushes-plugins") { loader.loadPlugins(for: tracks) }
        let first = try await video?.firstFrame()
        try composition?.check(layout)
        await Self.firstSamples(audio)
        // Where there is no thread for it, the writer does it.
        try? await loading
        let (shares, warning) = try Self.shares(
            feeds, composition, settings, eachCamera, in: container)
        mix = isMixed ? MicrophoneMix(channels: audio.map(\.plan.channels), rate: AudioSourcePlan.sampleRate) : nil
        ownNotes = [warning, Self.mixNote(isMixed && !settings.mixesMicrophones, container)].compactMap(\.self)
        var planner = loader
        planner.cpuShare = shares[0]
        var planned = try await planner.plan(
            frames: first.map {
                .init(caps: $0.caps, rate: video?.plan.rate, isReordered: $0.isReordered)
            }, audio: tracks, trying: first?.buffer)
        planned.options.sizeLimit = limits.maxRecordedFileSize.map { SizeLimit($0) }
        let plans = try await Self.cameraPlans(
            feeds, beside: planned, at: destination, eachCamera, shares: Array(shares.dropFirst()), limits)
        let writer = try Self.writer(planned, destination, limits, preRoll: preRoll)
        encodedFrames = writer.countEncodedFrames()
        if let table { writer.editFrames(by: table) }
        cameras = try plans.map { ($0, try $0.writer(sharingAudioOf: writer)) }
        (self.video, self.composition, self.audio, self.first) = (video, composition, audio, first)
        (self.planned, self.writer) = (planned, writer)
    }

    /// - Throws: ``RushesError`` if the session does not run or has nothing to record.
    private static func devices(of session: CaptureSession) async throws(RushesError) -> CaptureSession.Running {
        guard let running = await session.running else {
            throw RushesError(.notRunning, "The session is not running yet; start it before you record.")
        }
        guard !running.isEmpty else {
            throw RushesError(.badSource, "There is neither a camera nor a microphone to record; choose one of them.")
        }
        return running
    }

    /// - Throws: ``RushesError`` where the audio would be too early or too late.
    private static func checkDelay(_ settings: MovieSettings) throws(RushesError) {
        guard !MovieSettings.audioDelayRange.contains(settings.audioDelay) else { return }
        throw RushesError(
            .invalidSettings, "The audio can be moved to one second earlier at most, and to ten seconds later.")
    }

    /// Of each camera's own movie, where those are asked for.
    private static func cameraPlans(
        _ feeds: [VideoFeed], beside planned: MoviePlanner.Planned, at destination: MovieDestination,
        _ settings: MovieSettings?, shares: [Double], _ limits: RecordingLimits
    ) async throws -> [CameraMoviePlan] {
        guard let settings, shares.count >= feeds.count, !shares.isEmpty else { return [] }
        let projects = ProjectFiles(beside: destination)
        try await onOwnThread("rushes-destination") { try projects.check() }
        return try await CameraMoviePlan.plans(
            feeds, beside: planned, at: destination, settings, shares: shares, needing: limits.minFreeDiskSpaceLimit)
    }

    private static func writer(
        _ planned: MoviePlanner.Planned, _ destination: MovieDestination, _ limits: RecordingLimits,
        preRoll: PreRoll?
    ) throws -> MovieWriter {
        guard let preRoll else {
            return try MovieWriter(
                planned.plan, destination: destination, options: planned.options,
                keeping: limits.maxReplayDuration.map { _ in limits.history() })
        }
        // Without a pre-roll too: the file is opened while its first frames are encoded.
        return try MovieWriter(
            standby: planned.plan, options: planned.options, keeping: limits.history(preRoll: preRoll.kept))
    }

    /// Waits for all microphones at once, but no longer than one may hold up a take.
    private static func firstSamples(_ microphones: [AudioFeed]) async {
        await withTaskGroup(of: Void.self) { group in
            for microphone in microphones { group.addTask { await microphone.firstSamples() } }
        }
    }

    private static func mixNote(_ isForced: Bool, _ container: Container) -> String? {
        guard isForced else { return nil }
        return
            "\(container.displayName) holds one audio track, so the microphones are mixed into it; name the file .mka to keep them apart."
    }

    /// How much of the cores is for each movie's encoder, the composed one's first, and what is to be said where they are too few.
    ///
    /// - Throws: ``RushesError`` if no encoder fits one of them.
    private static func shares(
        _ feeds: [VideoFeed], _ composition: CompositionFeed?, _ settings: MovieSettings, _ eachCamera: MovieSettings?,
        in container: Container
    ) throws -> (shares: [Double], warning: String?) {
        guard let sizes = composition?.sizes else { return ([1], nil) }
        let cameras = zip(feeds, sizes).map { feed, size in
            CaptureCost.Camera(
                name: feed.name, size: size, rate: feed.plan.rate ?? Fraction(30),
                encoding: feed.plan.format?.encoding ?? .raw, formats: feed.plan.formats)
        }
        let cost = CaptureCost(
            cameras: cameras, settings: settings, eachCamera: eachCamera, container: container, cores: .now)
        let tables = try EncoderTables(PipelineFiles.find())
        return (try cost.shared(tables).shares, cost.words(tables))
    }

    private static func checkSeparate(
        _ cameras: Int, _ limits: RecordingLimits, isStandby: Bool
    ) throws(RushesError) {
        guard !isStandby else {
            throw RushesError(
                .invalidSettings, "Movies of each camera cannot wait for a start; choose one of the two.")
        }
        guard cameras > 1 else {
            throw RushesError(.invalidSettings, "Only one of several cameras gets a movie of its own.")
        }
        guard limits.maxPartDuration == nil, limits.maxPartFileSize == nil else {
            throw RushesError(
                .invalidSettings, "Movies of each camera are not divided into parts; choose one of the two.")
        }
    }

    /// Starts all writers, or none.
    ///
    /// - Throws: what an encoder or the disk refused.
    func start() async throws {
        let writers = [writer] + cameras.map(\.writer.writer)
        for (index, writer) in writers.enumerated() {
            do { try await writer.start() } catch {
                for started in writers[..<index] { await started.cancel() }
                throw error
            }
        }
    }

    /// What the files tell of their first frames' dates comes from one place.
    ///
    /// - Parameter dates: of places in the movie; asked for by the writers' threads, and not for long held by any.
    func takeDates(from dates: @escaping @Sendable (MediaTime) -> MovieDate?) {
        writer.takeDates(rate: video?.recordedRate(first?.caps), from: dates)
        for camera in cameras { camera.writer.writer.takeDates(rate: camera.plan.rate, from: dates) }
    }

    /// What was tried and did not work, a line each.
    var notes: [String] { ownNotes + planned.notes + cameras.flatMap(\.plan.notes) }
    var hasCameraMovies: Bool { !cameras.isEmpty }
    var cameraTracks: [CameraTrack] { cameras.map { $0.plan.track(to: $0.writer) } }

    /// How long the recording's beginning is put off: a camera's own movie begins with the frame that is to be seen at that
    /// moment, so one has to come before.
    var lead: MediaTime { min(cameras.map(\.plan.frameDuration).max() ?? .zero, .second) }
}

extension RecordingLimits {
    /// What is kept in memory.
    fileprivate func history(preRoll: MediaTime = .zero) -> KeptHistory {
        KeptHistory(
            duration: max(preRoll, maxReplayDuration.map { MediaTime($0) } ?? .zero),
            limit: maxReplayBytes ?? Int(clamping: FreeMemory.bytes / 4))
    }
}
