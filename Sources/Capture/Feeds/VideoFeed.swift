import Encoding
import Errors
import GStreamer

/// A camera that runs.
final class VideoFeed: FrameInput {
    let input: CaptureInput
    let plan: VideoSourcePlan

    /// Whether its frames can be composed with others.
    let isComposable: Bool

    init(_ plan: VideoSourcePlan, baseTime: MediaTime, isComposable: Bool = false) throws {
        (self.plan, self.isComposable) = (plan, isComposable)
        let rhythm =
            plan.isStampedOnArrival ? plan.rate.map { TimestampDejitter(frameDuration: $0.frameDuration) } : nil
        input = try CaptureInput(
            name: plan.name, nodes: isComposable ? plan.composable : plan.nodes, baseTime: baseTime, rhythm: rhythm,
            timeout: max(CaptureInput.stall, Self.timeout(plan)))
        // Each frame wakes this process anyway.
        _ = input.listen({ (_: CaptureInput.TimedSample) in ProcessorWatch.shared.look() })
    }

    /// Whether its frames may be in a device's own buffers, and not a software decoder's or a test source's.
    var hasFewBuffers: Bool {
        guard plan.device != nil || plan.isLaunchLine else { return false }
        return plan.decoder.map { $0.hasPrefix("v4l2") || $0.hasPrefix("va") } ?? true
    }

    var name: String { input.name }
    var state: FeedState { input.state }
    func states() -> AsyncStream<FeedState> { input.states() }
    func listen(_ body: @escaping @Sendable (CaptureInput.TimedSample) -> Void) -> Int { input.listen(body) }
    func unlisten(_ key: Int) { input.unlisten(key) }
    func firstFrame() async throws -> CaptureInput.TimedSample { try await firstFrame(within: 5) }

    /// How long three frames take where the camera promises a rate: some give one in several seconds.
    private static func timeout(_ plan: VideoSourcePlan) -> MediaTime {
        let rate = plan.rate?.doubleValue ?? 0
        return rate > 0 ? MediaTime(seconds: 3 / rate) : .zero
    }

    /// Frames that the camera or its driver lost since it was opened.
    var lostFrames: Int { Int((input.lost.seconds * (plan.rate ?? Fraction(30)).doubleValue).rounded()) }

    /// Waits for a frame and returns it: a new one, so that a camera that has stalled is found out.
    ///
    /// - Throws: ``RushesError`` if none comes in time; what the device said if it failed; `CancellationError`.
    func firstFrame(within limit: Double) async throws -> CaptureInput.TimedSample {
        let seconds = max(limit, Self.timeout(plan).seconds)
        if let frame = try await nextFrame(within: seconds) { return frame }
        if let failure = input.failure {
            throw RushesError(opening: plan.name, isLaunchLine: plan.isLaunchLine, failure)
        }
        throw RushesError(
            .deviceSilent, on: plan.name,
            "\(plan.name) gives no frame after \(Int(seconds)) seconds; is it in use, covered or unplugged?")
    }
}
