import Encoding
import Errors
import GStreamer
import Logging
import Threads

/// A camera that runs. A device is taken up again where it comes back after it was lost, by ``keepUp(with:)``; another one may follow it, by
/// ``switchCamera(to:)``.
final class VideoFeed: FrameInput {
    /// Whether its frames can be composed with others.
    let isComposable: Bool
    /// What is set of its device, and set back once it is stopped or another follows it.
    let controls: CameraControls
    let baseTime: MediaTime
    let life: Locked<Life>
    /// Held while a frame is handed on, so that none of two inputs overtakes another.
    let handover = Locked(FrameHandover())
    private let frames = Listeners<CaptureInput.TimedSample>()
    /// What it comes to where that is noticed at once.
    private let changes = Listeners<FeedState>()
    private let returning = Locked<(device: ReturningDevice, task: Task<Void, Never>)?>(nil)

    struct Life {
        /// How the camera is opened, and how that was asked for: the frames of one that followed another may be turned to hang as that one's.
        var plan: VideoSourcePlan
        var asked: VideoSourcePlan
        var input: CaptureInput
        /// The device file that it opens.
        var path: String?
        /// Why the camera delivers nothing, until it is back.
        var loss: String?
        /// What it reported then.
        var failure: GStreamerError?
        /// What became of it, once the session closes it.
        var closed: FeedState?
        /// Whether its device is closed because it is opened in another mode.
        var isChanging = false
        /// Frames that earlier inputs of it had lost.
        var lost = 0

        /// Frames that the camera or its driver lost.
        var lostFrames: Int {
            lost + Int((input.lost.seconds * (plan.rate ?? Fraction(30)).doubleValue).rounded())
        }
    }

    /// - Parameter gate: what of its frames comes through at all; all of them without.
    init(_ plan: VideoSourcePlan, baseTime: MediaTime, isComposable: Bool = false, gate: FrameGate? = nil) throws {
        (self.baseTime, self.isComposable) = (baseTime, isComposable)
        controls = CameraControls(of: plan.name, path: plan.controlPath)
        let input = try Self.input(plan, isComposable, baseTime, gate: gate)
        life = Locked(Life(plan: plan, asked: plan, input: input, path: plan.path))
        // Each frame wakes this process anyway.
        _ = frames.add { _ in ProcessorWatch.shared.look() }
        let number = attach(input)
        handover.withLock { $0.replace(with: number) }
        watch(input)
    }

    static func input(
        _ plan: VideoSourcePlan, _ isComposable: Bool, _ baseTime: MediaTime, gate: FrameGate? = nil
    ) throws -> CaptureInput {
        let rhythm =
            plan.isStampedOnArrival && gate == nil
            ? plan.rate.map { TimestampDejitter(frameDuration: $0.frameDuration) } : nil
        // Of a camera that makes JPEGs a photo is its own.
        let keepsOriginals = gate == nil && !isComposable && plan.decodesJPEG && plan.turn == .upright
        return try CaptureInput(
            name: plan.name,
            nodes: gate != nil || keepsOriginals ? plan.gated : isComposable ? plan.composable : plan.nodes,
            baseTime: baseTime, rhythm: rhythm, timeout: max(CaptureInput.stall, timeout(plan)), gate: gate,
            keepsOriginals: keepsOriginals)
    }

    /// Hands on an input's frames where it is its turn.
    ///
    /// - Parameter takeOver: called with the first frame of an input that follows another, before the frame is handed on.
    /// - Returns: its number for ``handover``.
    func attach(_ input: CaptureInput, takeOver: @escaping @Sendable () -> Void = {}) -> Int {
        let number = handover.withLock { $0.number() }
        _ = input.listen { [weak self] (frame: CaptureInput.TimedSample) in
            guard let self else { return }
            handover.withLock { handover in
                switch handover.decide(frame.time, from: number) {
                case .drop: return
                case .takeOver: takeOver()
                case .pass: break
                }
                frames.send(frame)
            }
        }
        return number
    }

    /// Passes on what an input comes to; ends with it.
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

    /// Says what became of it before it is closed; the first word counts.
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

    /// From now on takes the camera up again by itself, in the same mode, whenever it was lost and is found again; until it is stopped.
    ///
    /// - Parameter device: what looks for it.
    func keepUp(with device: ReturningDevice) {
        let task = Task { [weak self] in
            while !Task.isCancelled {
                guard let input = self?.input else { return }
                guard let words = await device.loss(of: input) else { return }
                guard self?.lose(words) == true, device.mayReturn(input) else { return }
                // A driver forgets a device that is unplugged when nobody has it open any more.
                await input.stop()
                if let path = self?.life.withLock({ $0.path }) { LeftDescriptors.release(path) }
                while !Task.isCancelled, let found = await device.found() {
                    if await self?.reopen(found, watchedBy: device) ?? true { break }
                }
            }
        }
        returning.withLock { $0 = (device, task) }
    }

    /// No longer takes it up again, from the end of this call on.
    func leaveAlone() async {
        let task = returning.withLock { returning in
            defer { returning = nil }
            return returning?.task
        }
        task?.cancel()
        await task?.value
    }

    /// Delivers nothing from now on. False if it is closed.
    private func lose(_ words: String) -> Bool {
        let isOpen = life.withLock { life in
            (life.loss, life.failure) = (words, life.input.failure)
            return life.closed == nil
        }
        tell()
        return isOpen
    }

    /// - Returns: whether its frames come again, or it is closed.
    private func reopen(_ plan: VideoSourcePlan, watchedBy device: ReturningDevice) async -> Bool {
        guard let input = try? Self.input(plan, isComposable, baseTime) else { return false }
        let isOpen = life.withLock { life in
            guard life.closed == nil else { return false }
            life.lost = life.lostFrames
            (life.input, life.path) = (input, plan.path)
            return true
        }
        guard isOpen else { return true }
        let number = attach(input)
        handover.withLock { $0.replace(with: number) }
        let (speaks, hasFrames) = (AsyncSignal(), Locked(false))
        let key = input.listen { (_: CaptureInput.TimedSample) in
            hasFrames.withLock { $0 = true }
            speaks.fire()
        }
        defer { input.unlisten(key) }
        let limit = max(5, Self.timeout(plan).seconds)
        do { try await input.start(within: limit) } catch {
            log.debug("a camera does not open again", metadata: ["device": "\(plan.name)", "error": "\(error)"])
            return false
        }
        // One that goes again before its first frame is not waited for: it may be back before the time is up.
        let loss = Task { if await device.loss(of: input) != nil { speaks.fire() } }
        defer { loss.cancel() }
        guard await speaks.wait(seconds: limit), hasFrames.withLock({ $0 }) else {
            await input.stop()
            return false
        }
        life.withLock { ($0.loss, $0.failure) = (nil, nil) }
        watch(input)
        tell()
        await controls.setAgain(at: plan.controlPath)
        return true
    }

    // MARK: Its frames

    /// Whether its frames may be in a device's own buffers, and not a software decoder's or a test source's.
    var hasFewBuffers: Bool {
        let plan = plan
        guard plan.device != nil || plan.isLaunchLine else { return false }
        return plan.decoder.map { $0.hasPrefix("v4l2") || $0.hasPrefix("va") } ?? true
    }

    /// Whether no frame has come for so long.
    func isSilent(for duration: MediaTime) -> Bool { input.isSilent(for: duration) }

    /// How it is opened.
    var plan: VideoSourcePlan { life.withLock { $0.plan } }
    /// The same as it was asked for.
    var asked: VideoSourcePlan { life.withLock { $0.asked } }
    var name: String { plan.name }
    var returns: Bool {
        guard life.withLock({ $0.closed == nil }) else { return false }
        return returning.withLock { $0 }?.device.mayReturn(input) ?? false
    }
    var state: FeedState {
        life.withLock { life in
            life.closed ?? life.loss.map { .lost($0) } ?? (life.isChanging ? .stalled : life.input.state)
        }
    }

    func states() -> AsyncStream<FeedState> {
        let (states, continuation) = AsyncStream.makeStream(of: FeedState.self, bufferingPolicy: .bufferingNewest(1))
        let key = changes.add { continuation.yield($0) }
        continuation.onTermination = { [changes] _ in changes.remove(key) }
        // What it came to before is told to who listens late.
        if case let state = state, state.isOver { continuation.yield(state) }
        return states
    }

    func listen(_ body: @escaping @Sendable (CaptureInput.TimedSample) -> Void) -> Int { frames.add(body) }
    func unlisten(_ key: Int) { frames.remove(key) }
    func firstFrame() async throws -> CaptureInput.TimedSample { try await firstFrame(within: 5) }

    /// How long three frames take where the camera promises a rate: some give one in several seconds.
    static func timeout(_ plan: VideoSourcePlan) -> MediaTime {
        let rate = plan.rate?.doubleValue ?? 0
        return rate > 0 ? MediaTime(seconds: 3 / rate) : .zero
    }

    /// Frames that the camera or its driver lost since it was opened.
    var lostFrames: Int { life.withLock { $0.lostFrames } }

    /// Waits for a frame and returns it: a new one, so that a camera that has stalled is found out.
    ///
    /// - Throws: ``RushesError`` if none comes in time; what the device said if it failed; `CancellationError`.
    func firstFrame(within limit: Double) async throws -> CaptureInput.TimedSample {
        let seconds = max(limit, Self.timeout(plan).seconds)
        if let frame = try await nextFrame(within: seconds) { return frame }
        if let failure = life.withLock({ $0.failure ?? $0.input.failure }) {
            throw RushesError(starting: plan, failure)
                ?? RushesError(opening: plan.name, isLaunchLine: plan.isLaunchLine, failure)
        }
        throw RushesError(
            .deviceSilent, on: plan.name,
            "\(plan.name) has not delivered a frame for \(Int(seconds)) seconds; is it in use, covered or unplugged?")
    }
}
