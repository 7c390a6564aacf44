import Encoding
import GStreamer
import MediaTypes

/// Where a recording's frames come from: one camera, or several that are composed.
protocol FrameInput: AnyObject, Sendable {
    /// The main camera's, for its rate and what its frames are.
    var plan: VideoSourcePlan { get }
    /// What it is called in messages.
    var name: String { get }
    var state: FeedState { get }
    /// Yields its state as soon as it is lost or ended; other changes are found by asking for ``state``.
    func states() -> AsyncStream<FeedState>
    /// Whether it is taken up again where it is lost and comes back.
    var returns: Bool { get }

    /// Waits for a new frame.
    ///
    /// - Throws: ``RushesError`` if none comes in time; what the device said if it failed; `CancellationError`.
    func firstFrame() async throws -> CaptureInput.TimedSample
    /// Calls the closure for each frame, on a streaming thread.
    func listen(_ body: @escaping @Sendable (CaptureInput.TimedSample) -> Void) -> Int
    func unlisten(_ key: Int)
    /// Calls the closure where the main camera or its driver says that it lost frames, a little later than that was, from any thread.
    func listenForLosses(_ body: @escaping @Sendable (FrameLoss) -> Void) -> Int
    func unlistenForLosses(_ key: Int)
}

/// Frames that a camera or its driver has lost.
struct FrameLoss: Sendable {
    /// Running time of the frame that came then.
    let time: MediaTime
    let frames: Int
}

extension FrameInput {
    /// The next frame that comes; `nil` if none does in time, or the input is lost.
    ///
    /// - Throws: `CancellationError`.
    func nextFrame(within limit: Duration) async throws -> CaptureInput.TimedSample? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: CaptureInput.TimedSample.self, bufferingPolicy: .bufferingOldest(1))
        let key = listen { continuation.yield($0) }
        defer { unlisten(key) }
        // Of several cameras one may be lost.
        let watch = Task { for await _ in states() where state.isOver { continuation.finish() } }
        let timer = Task {
            try await Task.sleep(for: limit)
            continuation.finish()
        }
        defer {
            watch.cancel()
            timer.cancel()
        }
        for await frame in stream { return frame }
        try Task.checkCancellation()
        return nil
    }
}

extension Fraction {
    /// A second where the rate is not known (0): some cameras give a frame in several seconds, and promise it.
    var frameDuration: MediaTime { doubleValue > 0 ? MediaTime(seconds: 1 / doubleValue) : .second }
}
