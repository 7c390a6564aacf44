import GStreamer

extension CaptureSession {
    /// The input that runs already, or a new one that has been started, or none.
    static func camera(
        _ running: VideoInput?, _ plan: VideoSourcePlan?, _ baseTime: Nanoseconds
    ) async -> Result<VideoInput?, any Error> {
        guard running == nil, let plan else { return .success(running) }
        return await opened(plan.name, isLaunchLine: plan.isLaunchLine) {
            let input = try VideoInput(plan, baseTime: baseTime)
            try await input.input.start()
            return input
        }
    }

    static func microphone(
        _ running: AudioInput?, _ wanted: Configuration, _ baseTime: Nanoseconds
    ) async -> Result<AudioInput?, any Error> {
        guard running == nil, let plan = wanted.microphone else { return .success(running) }
        return await opened(plan.name, isLaunchLine: plan.isLaunchLine) {
            let input = try AudioInput(plan, baseTime: baseTime)
            // Before the first sample, so that nothing of a muted microphone is ever heard.
            input.set(gain: wanted.microphoneGain, isMuted: wanted.isMicrophoneMuted)
            try await input.input.start()
            return input
        }
    }

    private static func opened<Input: Sendable>(
        _ name: String, isLaunchLine: Bool, _ make: @Sendable () async throws -> Input?
    ) async -> Result<Input?, any Error> {
        do {
            return .success(try await make())
        } catch let error as GStreamerError {
            return .failure(CaptureError(opening: name, isLaunchLine: isLaunchLine, error))
        } catch {
            return .failure(error)
        }
    }
}
