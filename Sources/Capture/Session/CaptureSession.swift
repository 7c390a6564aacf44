import GStreamer

/// The devices that run together, on one clock. Outputs come and go while they run.
public actor CaptureSession {
    /// What runs, changed as a whole by ``configure(_:)``.
    public struct Configuration: Sendable, Equatable {
        public var camera: VideoSourcePlan?
        public var microphone: AudioSourcePlan?
        /// Amplification of the microphone in decibels.
        public var microphoneGain = 0.0
        public var isMicrophoneMuted = false

        public init() {}
    }

    public private(set) var configuration = Configuration()
    public private(set) var isRunning = false
    private(set) var video: VideoInput?
    private(set) var sound: SoundInput?
    /// The system clock's time that is the session's time zero.
    let baseTime: Nanoseconds

    public init() { baseTime = Pipeline.systemTime }

    /// The session's running time now, in nanoseconds.
    nonisolated var now: Nanoseconds { Pipeline.systemTime - baseTime }

    /// Changes the configuration as a whole: either all of it comes into force, or nothing does.
    ///
    /// While the session runs, a device that stays as it is goes on undisturbed. One that cannot be opened leaves the
    /// session as it was.
    /// - Throws: ``CaptureError`` with what keeps a device from opening, and what the closure throws.
    public func configure(_ change: (inout Configuration) throws -> Void) async throws {
        var wanted = configuration
        try change(&wanted)
        guard isRunning else {
            configuration = wanted
            return
        }
        let old = configuration
        do {
            try await apply(wanted)
        } catch {
            try? await apply(old)
            throw error
        }
    }

    /// Opens the devices and lets them flow.
    ///
    /// - Throws: ``CaptureError`` with what keeps a device from opening; then none is left open.
    public func start() async throws {
        guard !isRunning else { return }
        isRunning = true
        do {
            let wanted = configuration
            configuration = Configuration()
            try await apply(wanted)
        } catch {
            await stop()
            throw error
        }
    }

    /// Closes the devices. Takes that run are ended by their outputs.
    public func stop() async {
        isRunning = false
        await video?.input.stop()
        await sound?.input.stop()
        (video, sound) = (nil, nil)
    }

    private func apply(_ wanted: Configuration) async throws {
        // One device may be closed and opened again in another mode, so the old one goes first.
        if wanted.camera != configuration.camera || video == nil {
            await video?.input.stop()
            video = nil
            configuration.camera = nil
            if let plan = wanted.camera {
                video = try await open(plan.name) { try VideoInput(plan, baseTime: self.baseTime) } start: { $0.input }
                configuration.camera = plan
            }
        }
        if wanted.microphone != configuration.microphone || sound == nil {
            await sound?.input.stop()
            sound = nil
            configuration.microphone = nil
            if let plan = wanted.microphone {
                sound = try await open(plan.name) { try SoundInput(plan, baseTime: self.baseTime) } start: { $0.input }
                configuration.microphone = plan
            }
        }
        sound?.set(gain: wanted.microphoneGain, isMuted: wanted.isMicrophoneMuted)
        configuration = wanted
    }

    private func open<Input: Sendable>(
        _ name: String, _ make: () throws -> Input, start input: (Input) -> CaptureInput
    ) async throws -> Input {
        do {
            let made = try make()
            try await input(made).start()
            return made
        } catch let error as GStreamerError {
            throw CaptureError(opening: name, error)
        }
    }
}
