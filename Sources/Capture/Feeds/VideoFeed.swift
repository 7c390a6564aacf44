import Encoding
import Errors
import GStreamer
import Logging
import Threads

/// A running camera. After a loss its device is opened again (``reopenAutomatically(with:)``); another camera can replace it
/// (``switchCamera(to:)``).
final class VideoFeed: FrameInput {
    /// Whether its frames can be composed with others.
    let isComposable: Bool
    /// The camera's controls; those that were changed are restored when the feed stops or another camera replaces it.
    let controls: CameraControls
    /// Drops JPEG frames before their decoder, for cameras that are composed; `nil` for others. See ``mayBeThinned``.
    let thinning: FrameGate?
    let baseTime: MediaTime
    let life: Locked<Life>
    /// Held while a frame is handed on, so that frames of two inputs stay in order.
    let handover = Locked(FrameHandover())
    private let frames = Listeners<CaptureInput.TimedSample>()
    private let losses = Listeners<FrameLoss>()
    /// State changes that a device reports by itself; others are found by asking for ``state``.
    private let changes = Listeners<FeedState>()
    /// Looks for its device after a loss; see ``reopenAutomatically(with:)``.
    let returning = Locked<(device: ReturningDevice, task: Task<Void, Never>)?>(nil)

    struct Life {
        /// How the camera is opened, and how that was asked for: a camera that replaces another may have its frames rotated to match.
        var plan: VideoSourcePlan
        var asked: VideoSourcePlan
        var input: CaptureInput
        /// The device file that it opens.
        var path: String?
        /// Why the camera delivers nothing, until it is back.
        var loss: String?
        /// The error that it reported then.
        var failure: GStreamerError?
        /// Its final state, once the session has closed it; `nil` before.
        var closed: FeedState?
        /// Whether its device is closed because it is opened in another mode.
        var isChanging = false
    }

    /// - Parameter gate: drops frames before they are decoded; `nil` drops none.
    init(_ plan: VideoSourcePlan, baseTime: MediaTime, isComposable: Bool = false, gate: FrameGate? = nil) throws {
        (self.baseTime, self.isComposable) = (baseTime, isComposable)
        controls = CameraControls(of: plan.name, path: plan.controlPath)
        thinning = isComposable ? FrameGate() : nil
        let input = try Self.input(plan, isComposable, baseTime, gate: gate, thinning: thinning)
        life = Locked(Life(plan: plan, asked: plan, input: input, path: plan.path))
        let number = attach(input)
        handover.withLock { $0.replace(with: number) }
        watch(input)
    }

    /// The task that looks for the device holds that open too.
    deinit { returning.withLock { $0 }?.task.cancel() }

    static func input(
        _ plan: VideoSourcePlan, _ isComposable: Bool, _ baseTime: MediaTime, gate: FrameGate? = nil,
        thinning: FrameGate?
    ) throws -> CaptureInput {
        let arrivals =
            plan.isStampedOnArrival && gate == nil
            ? plan.rate.map { ArrivalTimes<CaptureInput.TimedSample>(frameDuration: $0.frameDuration) } : nil
        // Of a camera that makes JPEGs a photo is its own.
        let keepsOriginals = gate == nil && !isComposable && plan.decodesJPEG && plan.turn == .upright
        return try CaptureInput(
            name: plan.name,
            nodes: gate != nil || keepsOriginals ? plan.gated : isComposable ? plan.composable : plan.nodes,
            baseTime: baseTime, arrivals: arrivals, timeout: max(ArrivalWatch.stall, timeout(plan)),
            gate: gate ?? (plan.decodesJPEG ? thinning : nil), keepsOriginals: keepsOriginals,
            isEncoded: plan.encoding != nil, isNumbered: plan.isNumbered)
    }

    /// Hands on an input's frames while it is the current one.
    ///
    /// - Parameter takeOver: called with the first frame of an input that follows another, before the frame is handed on.
    /// - Returns: its number for ``handover``.
    func attach(_ input: CaptureInput, takeOver: @escaping @Sendable () -> Void = {}) -> Int {
        let number = handover.withLock { $0.number() }
        _ = input.listenForLosses { [weak self] loss in
            guard let self, handover.withLock({ $0.current == number }) else { return }
            let frames = loss.duration.seconds * (plan.rate ?? Fraction(30)).doubleValue
            losses.send(FrameLoss(time: loss.time, frames: Int(frames.rounded())))
        }
        _ = input.listen { [weak self] (frame: CaptureInput.TimedSample) in
            guard let self else { return }
            // Each frame wakes this process anyway.
            ProcessorWatch.shared.sample()
            var frame = frame
            frame.number?.opening = number
            handover.withLock { handover in
                switch handover.decide(frame.time, from: number) {
                case .drop: return
                case .takeOver: takeOver()
                case .pass: break
                }
                frames.send(controls.zoom.applied(to: frame))
            }
        }
        return number
    }

    /// Passes on an input's state changes until it ends.
    func watch(_ input: CaptureInput) {
        let states = input.states()
        Task { [weak self] in
            for await _ in states { self?.tell() }
        }
    }

    func tell() { changes.send(state) }

    // MARK: Its device

    /// Opens the device and lets it flow.
    ///
    /// - Throws: ``GStreamerError``: what the device or its server said. Then nothing is left open.
    func start() async throws { try await input.start() }

    /// Sets its final state before it is closed; only the first call counts.
    func end(as state: FeedState) {
        let input = life.withLock { life in
            life.closed = life.closed ?? state
            return life.input
        }
        input.end(as: state)
    }

    /// Closes the device for good.
    func stop() async {
        end(as: .ended)
        returning.withLock { $0 }?.task.cancel()
        if let words = await controls.restore() {
            log.warning("controls not restored", metadata: ["device": "\(name)", "problem": "\(words)"])
        }
        await input.stop()
    }

    var input: CaptureInput { life.withLock { $0.input } }

    // MARK: Its frames

    /// Whether its frames may be in a device's own buffers, and not a software decoder's or a test source's.
    var hasFewBuffers: Bool {
        let plan = plan
        guard plan.device != nil || plan.isLaunchLine else { return false }
        return plan.decoder.map { $0.hasPrefix("v4l2") || $0.hasPrefix("va") } ?? true
    }

    /// Whether ``thinning`` has an effect, and no other listener would miss the frames that it drops.
    var mayBeThinned: Bool { thinning != nil && plan.decodesJPEG && frames.count == 1 }

    /// Whether no frame has come for so long.
    func isSilent(for duration: MediaTime) -> Bool { input.isSilent(for: duration) }

    /// How it is opened.
    var plan: VideoSourcePlan { life.withLock { $0.plan } }
    /// The same as it was asked for.
    var asked: VideoSourcePlan { life.withLock { $0.asked } }
    var name: String { plan.name }
    var state: FeedState {
        life.withLock { life in
            life.closed ?? life.loss.map { .lost($0) } ?? (life.isChanging ? .stalled : life.input.state)
        }
    }

    func states() -> AsyncStream<FeedState> { changes.states { state } }

    func listen(_ body: @escaping @Sendable (CaptureInput.TimedSample) -> Void) -> Int { frames.add(body) }
    func unlisten(_ key: Int) { frames.remove(key) }
    func listenForLosses(_ body: @escaping @Sendable (FrameLoss) -> Void) -> Int { losses.add(body) }
    func unlistenForLosses(_ key: Int) { losses.remove(key) }
    func firstFrame() async throws -> CaptureInput.TimedSample { try await firstFrame(within: .seconds(5)) }

    /// How long three frames take where the camera promises a rate: some give one in several seconds.
    static func timeout(_ plan: VideoSourcePlan) -> MediaTime {
        let rate = plan.rate?.doubleValue ?? 0
        return rate > 0 ? MediaTime(seconds: 3 / rate) : .zero
    }

    /// Waits for a frame and returns it: a new one, so that a camera that has stalled is found out.
    ///
    /// - Throws: ``RushesError`` if none comes in time; what the device said if it failed; `CancellationError`.
    func firstFrame(within limit: Duration) async throws -> CaptureInput.TimedSample {
        let limit = max(limit, Duration(Self.timeout(plan)))
        if let frame = try await nextFrame(within: limit) { return frame }
        if let failure = life.withLock({ $0.failure ?? $0.input.failure }) {
            throw RushesError(starting: plan, failure)
                ?? RushesError(opening: plan.name, isLaunchLine: plan.isLaunchLine, failure)
        }
        throw RushesError(
            .deviceSilent, on: plan.name,
            "\(plan.name) has not delivered a frame for \(limit.components.seconds) seconds; is it in use, covered or unplugged?"
        )
    }
}
