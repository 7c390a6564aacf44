public import Encoding
import Errors
import GStreamer
public import Imaging
import LiveActivity
import MediaTypes
import SystemPackage
import Threads

/// Records what a session's devices deliver to movies. Recordings start and end while the devices keep running.
public actor MovieFileOutput {
    private var own = OwnSession()
    private var layout = Layout(.corner(.bottomRight))

    /// An output to be added to a session, by ``CaptureSession/addOutput(_:)``.
    public init() {}

    /// - Throws: ``RushesError`` if it is another session's.
    func attach(to session: CaptureSession) throws { _ = try own.set(session) }
    func detach() { own = OwnSession() }

    /// Where the frames of several cameras stand in the movie that is started next; the bottom right corner has the insets unless
    /// set. A running one is changed by ``Recording/setLayout(_:over:)``.
    public func setLayout(_ layout: Layout) { self.layout = layout }

    /// Starts a recording. Everything that can be refused is refused here, before a file is created or touched.
    ///
    /// - Parameter eachCamera: the settings of a movie for each of several cameras, "take – HD Webcam.mov", written in the same pass
    ///   beside the composed one and with its audio, so that of these settings only those of the video count; `nil` for none.
    /// - Returns: the running recording. ``RecordingEvent/started(_:)`` comes with its first frame; warnings and progress may come before.
    /// - Throws: ``RushesError`` if the output was not added to a session; if that is not running or has no device; if the camera gives
    ///   no frame; if the destination or the settings cannot be used; or if GStreamer refuses the pipeline. Each describes itself in one
    ///   sentence with the cure. `CancellationError` if the task is cancelled while the first frame is waited for; later,
    ///   cancelling does not end the recording.
    public func startRecording(
        to destination: MovieDestination, settings: MovieSettings = MovieSettings(),
        limits: RecordingLimits = RecordingLimits(), eachCamera: MovieSettings? = nil
    ) async throws -> Recording {
        try await publishingErrors(as: .encoderFailed, on: destination.path.string) {
            try await record(to: destination, settings, limits, eachCamera: eachCamera, preRoll: nil)
        }
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
        try await prepareRecording(
            to: destination, settings: settings, limits: limits, preRoll: PreRoll(preRoll))
    }

    /// The same for a start that is known a little late.
    ///
    /// - Parameter keptFiles: of all recordings that follow each other, where they stay within `maxKeptFileSize` together.
    package func prepareRecording(
        to destination: MovieDestination, settings: MovieSettings, limits: RecordingLimits, preRoll: PreRoll,
        keptFiles: KeptFiles? = nil
    ) async throws -> Recording {
        try await publishingErrors(as: .encoderFailed, on: destination.path.string) {
            try await record(
                to: destination, settings, limits, eachCamera: nil, preRoll: preRoll, keptFiles: keptFiles)
        }
    }

    /// - Parameter preRoll: `nil` for a take that begins at once.
    private func record(
        to destination: MovieDestination, _ settings: MovieSettings, _ limits: RecordingLimits,
        eachCamera: MovieSettings?, preRoll: PreRoll?, keptFiles: KeptFiles? = nil
    ) async throws -> Recording {
        guard let session = own.session else {
            throw RushesError(.notRunning, "The output belongs to no session; add it to one before it records.")
        }
        try limits.checkRanges()
        let requested = Locked(session.now)
        let (limits, note) = await limits.fitting(destination, isOneFile: eachCamera != nil)
        let setup = try await RecordingSetup(
            session, to: destination, settings, limits, layout: layout, eachCamera: eachCamera, preRoll: preRoll)
        try await setup.start()

        // From here on nothing is thrown: what goes wrong ends the take, and its result says so.
        let (events, reports) = (Mailbox<RecordingEvent>(), RecordingReports())
        let place = Locked(destination)
        let start = { @Sendable [summary = setup.planned.summary] in
            let latency = (session.now - requested.withLock { $0 }).seconds
            return RecordingStart(path: place.withLock { $0.path }, summary: summary, latency: latency)
        }
        let take = RunningRecording(
            setup,
            // Counted from its start, one that waits for that has none yet.
            maximumDuration: preRoll == nil ? limits.maxRecordedDuration.map { MediaTime($0) } : nil,
            start: preRoll == nil ? .atOnce : .standby, events, reports,
            onArm: { if preRoll != nil { events.put(.standby(start())) } },
            onStart: { events.put(.started(start())) })
        for note in setup.notes + [note].compactMap(\.self) { events.put(.warning(note)) }
        let inputs = RecordingInputs(setup, of: session, to: take, events)
        let supervisor = RecordingSupervisor(
            take, setup, limits, place, events, reports, preRoll: preRoll, keptFiles: keptFiles,
            onBegin: { time in requested.withLock { $0 = time } }, now: { session.now })
        let task = Task {
            let result = await supervisor.run()
            inputs.close()
            return result
        }
        return Recording(supervisor, task)
    }
}

extension MovieFileOutput: CaptureOutput, AttachableOutput {}
