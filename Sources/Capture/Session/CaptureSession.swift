import Encoding
import GStreamer

/// The devices that run together, on one clock. Outputs come and go while they run.
public actor CaptureSession {
    /// What runs, changed as a whole by ``configure(_:)``.
    public struct Configuration: Sendable, Equatable {
        /// `nil`: no frame.
        public var camera: VideoSourcePlan?
        /// `nil`: no audio.
        public var microphone: AudioSourcePlan?
        /// Amplification of the microphone in decibels.
        public var microphoneGain = 0.0
        /// Whether silence is recorded in place of the microphone's audio.
        public var isMicrophoneMuted = false

        /// Neither camera nor microphone.
        package init() {}
    }

    /// What is in force.
    public private(set) var configuration = Configuration()
    /// Whether the devices are open and flow.
    public private(set) var isRunning = false
    private(set) var video: VideoInput?
    private(set) var audio: AudioInput?
    /// The system clock's time that is the session's time zero.
    let baseTime: Nanoseconds
    /// Opening and closing devices waits, and two of these at a time would open one device twice.
    private let changes = AsyncLock()

    /// A session without devices, which does not run yet.
    public init() {
        baseTime = Pipeline.systemTime
        // By the time that a take begins, it is known how busy the machine is.
        ProcessorWatch.shared.look()
    }

    /// The session's running time now, in nanoseconds.
    nonisolated var now: Nanoseconds { Pipeline.systemTime - baseTime }

    /// Changes the configuration.
    ///
    /// Before ``start()`` it is only stored: no device is looked at. While the session runs, a device whose plan stays the same
    /// continues without interruption. One whose plan changes is closed before its successor is opened, which ends recordings
    /// from it as ``RecordingEndReason/deviceLost(_:_:)``. If a device cannot be opened, the previous devices are opened again
    /// and an error is thrown; a previous device that cannot be opened again is then missing from ``configuration``, and if
    /// there is no other, ``isRunning`` is false.
    ///
    /// - Throws: ``CaptureError`` if a device cannot be opened; what the closure throws, and then nothing has changed.
    public func configure(_ change: (inout Configuration) throws -> Void) async throws {
        await changes.lock()
        defer { changes.unlock() }
        var wanted = configuration
        try change(&wanted)
        guard isRunning else {
            configuration = wanted
            return
        }
        let old = configuration
        do {
            try await open(wanted)
        } catch {
            try? await open(old)
            // The old device may be gone too by now: what is said to be in force is what runs.
            (configuration.camera, configuration.microphone) = (video?.plan, audio?.plan)
            isRunning = video != nil || audio != nil || (old.camera == nil && old.microphone == nil)
            throw error
        }
    }

    /// Opens the devices, both at once, and lets them flow.
    ///
    /// - Throws: ``CaptureError`` with what keeps a device from opening; then none is left open.
    public func start() async throws {
        await changes.lock()
        defer { changes.unlock() }
        guard !isRunning else { return }
        do {
            try await open(configuration)
            isRunning = true
        } catch {
            await close()
            throw error
        }
    }

    /// Closes the devices. What is recording ends with what came until now.
    public func stop() async {
        await changes.lock()
        defer { changes.unlock() }
        isRunning = false
        await close()
    }

    private func close() async {
        async let camera: Void? = video?.input.stop()
        async let microphone: Void? = audio?.input.stop()
        _ = await (camera, microphone)
        (video, audio) = (nil, nil)
    }

    /// Opens what is wanted and not open, closes what is open and not wanted.
    private func open(_ wanted: Configuration) async throws {
        // One device may be opened again in another mode, so the old one is closed first.
        if let old = video, old.plan != wanted.camera {
            await old.input.stop()
            video = nil
        }
        if let old = audio, old.plan != wanted.microphone {
            await old.input.stop()
            audio = nil
        }
        async let camera = Self.camera(video, wanted.camera, baseTime)
        async let microphone = Self.microphone(audio, wanted, baseTime)
        let (opened, received) = await (camera, microphone)
        // Both are kept before either's error is thrown, so that whoever closes closes both.
        video = try? opened.get()
        audio = try? received.get()
        _ = try (opened.get(), received.get())
        audio?.set(gain: wanted.microphoneGain, isMuted: wanted.isMicrophoneMuted)
        configuration = wanted
    }
}
