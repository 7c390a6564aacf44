import Encoding
import Errors
import GStreamer
import Logging
import Threads

/// A camera that runs. A device is taken up again where it comes back after it was lost, by ``keepUp(with:)``.
final class VideoFeed: FrameInput {
    let plan: VideoSourcePlan
    /// Whether its frames can be composed with others.
    let isComposable: Bool
    private let baseTime: MediaTime
    private let life: Locked<Life>
    private let frames = Listeners<CaptureInput.TimedSample>()
    /// What it comes to where that is noticed at once.
    private let changes = Listeners<FeedState>()
    private let returning = Locked<(device: ReturningDevice, task: Task<Void, Never>)?>(nil)

    private struct Life {
        var input: CaptureInput
        /// The device file that it opens.
        var path: String?
        /// Why the camera delivers nothing, until it is back.
        var loss: String?
        /// What it reported then.
        var failure: GStreamerError?
        /// What became of it, once the session closes it.
        var closed: FeedState?
        /// What earlier inputs of it had lost.
        var lost = MediaTime.zero
    }

    /// - Parameter gate: what of its frames comes through at all; all of them without.
    init(_ plan: VideoSourcePlan, baseTime: MediaTime, isComposable: Bool = false, gate: FrameGate? = nil) throws {
        (self.plan, self.baseTime, self.isComposable) = (plan, baseTime, isComposable)
        let input = try Self.input(plan, isComposable, baseTime, frames, gate: gate)
        life = Locked(Life(input: input, path: plan.path))
        // Each frame wakes this process anyway.
        _ = frames.add { _ in ProcessorWatch.shared.look() }
        watch(input)
    }

    private static func input(
        _ plan: VideoSourcePlan, _ isComposable: Bool, _ baseTime: MediaTime,
        _ frames: Listeners<CaptureInput.TimedSample>, gate: FrameGate? = nil
    ) throws -> CaptureInput {
        let rhythm =
            plan.isStampedOnArrival && gate == nil
            ? plan.rate.map { TimestampDejitter(frameDuration: $0.frameDuration) } : nil
        // Of a camera that makes JPEGs a photo is its own.
        let keepsOriginals = gate == nil && !isComposable && plan.decodesJPEG
        let input = try CaptureInput(
            name: plan.name,
            nodes: gate != nil || keepsOriginals ? plan.gated : isComposable ? plan.composable : plan.nodes,
            baseTime: baseTime, rhythm: rhythm, timeout: max(CaptureInput.stall, timeout(plan)), gate: gate,
            keepsOriginals: keepsOriginals)
        _ = input.listen { frames.send($0) }
        return input
    }

    /// Passes on what an input comes to; ends with it.
    private func watch(_ input: CaptureInput) {
        let states = input.states()
        Task { [weak self] in
            for await _ in states { self?.tell() }
        }
    }

    private func tell() { changes.send(state) }

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
        await input.stop()
    }

    private var input: CaptureInput { life.withLock { $0.input } }

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
        guard let input = try? Self.input(plan, isComposable, baseTime, frames) else { return false }
        let isOpen = life.withLock { life in
            guard life.closed == nil else { return false }
            life.lost = life.lost + life.input.lost
            (life.input, life.path) = (input, plan.path)
            return true
        }
        guard isOpen else { return true }
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
        return true
    }

    // MARK: Its frames

    /// Whether its frames may be in a device's own buffers, and not a software decoder's or a test source's.
    var hasFewBuffers: Bool {
        guard plan.device != nil || plan.isLaunchLine else { return false }
        return plan.decoder.map { $0.hasPrefix("v4l2") || $0.hasPrefix("va") } ?? true
    }

    /// Whether no frame has come for so long.
    func isSilent(for duration: MediaTime) -> Bool { input.isSilent(for: duration) }

    var name: String { plan.name }
    var returns: Bool {
        guard life.withLock({ $0.closed == nil }) else { return false }
        return returning.withLock { $0 }?.device.mayReturn(input) ?? false
    }
    var state: FeedState { life.withLock { $0.closed ?? $0.loss.map { .lost($0) } ?? $0.input.state } }

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
    private static func timeout(_ plan: VideoSourcePlan) -> MediaTime {
        let rate = plan.rate?.doubleValue ?? 0
        return rate > 0 ? MediaTime(seconds: 3 / rate) : .zero
    }

    /// Frames that the camera or its driver lost since it was opened.
    var lostFrames: Int {
        let lost = life.withLock { $0.lost + $0.input.lost }
        return Int((lost.seconds * (plan.rate ?? Fraction(30)).doubleValue).rounded())
    }

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
