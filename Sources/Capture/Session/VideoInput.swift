import Encoding
import GStreamer

/// A camera that runs.
final class VideoInput: Sendable {
    let input: CaptureInput
    let plan: VideoSourcePlan

    init(_ plan: VideoSourcePlan, baseTime: Nanoseconds) throws {
        self.plan = plan
        let rhythm = plan.isStampedOnArrival ? plan.rate.map { PictureRhythm(frameDuration: $0.frameDuration) } : nil
        input = try CaptureInput(
            name: plan.name, nodes: plan.nodes, baseTime: baseTime, rhythm: rhythm,
            patience: max(CaptureInput.stall, Self.patience(plan)))
        // Each picture wakes this process anyway.
        _ = input.listen({ (_: CaptureInput.TimedSample) in ProcessorWatch.shared.look() })
    }

    /// How long three pictures take, in nanoseconds, where the camera promises a rate: some give one in several seconds.
    private static func patience(_ plan: VideoSourcePlan) -> Nanoseconds {
        let rate = plan.rate?.doubleValue ?? 0
        return rate > 0 ? Nanoseconds(seconds: 3 / rate) : 0
    }

    /// Pictures that the camera or its driver lost since it was opened.
    var lostPictures: Int { Int((input.lost.seconds * (plan.rate ?? Fraction(30)).doubleValue).rounded()) }

    /// Waits for a picture and returns it: a new one, so that a camera that has stalled is found out.
    ///
    /// - Throws: ``CaptureError`` if none comes in time; what the device said if it failed; `CancellationError`.
    func firstPicture(within limit: Double = 5) async throws -> CaptureInput.TimedSample {
        let seconds = max(limit, Self.patience(plan).seconds)
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
        for await picture in stream { return picture }
        try Task.checkCancellation()
        if let failure = input.failure {
            throw CaptureError(opening: plan.name, isLaunchLine: plan.isLaunchLine, failure)
        }
        throw CaptureError(
            .deviceSilent,
            "\(plan.name) gives no picture after \(Int(seconds)) seconds; is it in use, covered or unplugged?")
    }
}
