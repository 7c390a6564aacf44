import Encoding
import Errors
import GStreamer

/// A camera that runs.
final class VideoFeed: Sendable {
    let input: CaptureInput
    let plan: VideoSourcePlan

    init(_ plan: VideoSourcePlan, baseTime: MediaTime) throws {
        self.plan = plan
        let rhythm =
            plan.isStampedOnArrival ? plan.rate.map { TimestampDejitter(frameDuration: $0.frameDuration) } : nil
        input = try CaptureInput(
            name: plan.name, nodes: plan.nodes, baseTime: baseTime, rhythm: rhythm,
            timeout: max(CaptureInput.stall, Self.timeout(plan)))
        // Each frame wakes this process anyway.
        _ = input.listen({ (_: CaptureInput.TimedSample) in ProcessorWatch.shared.look() })
    }

    /// How long three frames take, in nanoseconds, where the camera promises a rate: some give one in several seconds.
    private static func timeout(_ plan: VideoSourcePlan) -> MediaTime {
        let rate = plan.rate?.doubleValue ?? 0
        return rate > 0 ? MediaTime(seconds: 3 / rate) : .zero
    }

    /// Frames that the camera or its driver lost since it was opened.
    var lostFrames: Int { Int((input.lost.seconds * (plan.rate ?? Fraction(30)).doubleValue).rounded()) }

    /// Waits for a frame and returns it: a new one, so that a camera that has stalled is found out.
    ///
    /// - Throws: ``RushesError`` if none comes in time; what the device said if it failed; `CancellationError`.
    func firstFrame(within limit: Double = 5) async throws -> CaptureInput.TimedSample {
        let seconds = max(limit, Self.timeout(plan).seconds)
        let (stream, continuation) = AsyncStream.makeStream(
            of: CaptureInput.TimedSample.self, bufferingPolicy: .bufferingOldest(1))
        let key = input.listen { continuation.yield($0) }
        defer { input.unlisten(key) }
        let watch = Task { [input] in
            for await message in input.messages() {
                switch message.content {
                case .error, .endOfStream: continuation.finish()
                default: break
                }
            }
        }
        let timer = Task {
            try await Task.sleep(for: .seconds(seconds))
            continuation.finish()
        }
        defer {
            watch.cancel()
            timer.cancel()
        }
        for await frame in stream { return frame }
        try Task.checkCancellation()
        if let failure = input.failure {
            throw RushesError(opening: plan.name, isLaunchLine: plan.isLaunchLine, failure)
        }
        throw RushesError(
            .deviceSilent, on: plan.name,
            "\(plan.name) gives no frame after \(Int(seconds)) seconds; is it in use, covered or unplugged?")
    }
}
