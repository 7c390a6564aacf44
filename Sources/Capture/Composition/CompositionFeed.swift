import Composition
import Encoding
import Errors
import GStreamer
import Imaging
import Logging
import MediaTypes
import Threads

/// Several cameras in one frame, on the main camera's rhythm; a recording takes it for a camera.
///
/// Frames are drawn on the thread of whichever camera's frame completes them. They are as large as the main camera's first one.
final class CompositionFeed: FrameInput {
    typealias TimedSample = CaptureInput.TimedSample

    let plan: VideoSourcePlan
    private let cameras: [VideoFeed]
    private let now: @Sendable () -> MediaTime
    private let inner: Locked<State>
    private let frames = Listeners<TimedSample>()
    private let single = Listeners<(frame: TimedSample, camera: Int)>()
    private let changes = Listeners<String>()
    private let arrivals = Listeners<Arrival>()
    private let lossReports = Listeners<(loss: FrameLoss, camera: Int)>()
    private let lateFrames = Listeners<MediaTime>()
    private let keys = Locked<[(frames: Int, losses: Int)]>([])
    private let insetRate: Locked<InsetRate>

    /// A camera's frame that came.
    struct Arrival {
        let frame: TimedSample
        let camera: Int
        /// Whether frames before it were left out to relieve the encoders.
        let isThinned: Bool
    }

    /// - Parameters:
    ///   - cameras: two or more, the main one first.
    ///   - keepsChroma: whether frames of 4:2:2 stay that.
    ///   - now: the session's running time.
    init(_ cameras: [VideoFeed], layout: Layout, keepsChroma: Bool, now: @escaping @Sendable () -> MediaTime) {
        (self.cameras, self.now) = (cameras, now)
        insetRate = Locked(InsetRate(cameras: cameras.count))
        var plan = cameras[0].plan
        plan.summary = cameras.map(\.plan.summary).joined(separator: " with ")
        self.plan = plan
        inner = Locked(
            State(
                pairing: Self.pairing(of: cameras),
                compositor: VideoCompositor(layout, feeds: cameras.count, keepsChroma: keepsChroma),
                formats: cameras.map { _ in nil }, delivered: cameras.map { _ in nil },
                caps: cameras.map { _ in nil }, first: cameras.map { _ in nil },
                turners: cameras.map { FrameTurner($0.plan.orientation) }))
        for (index, camera) in cameras.enumerated() {
            let key = camera.listen { [weak self] frame in self?.receive(frame, from: index) }
            let lossKey = camera.listenForLosses { [weak self] loss in self?.lossReports.send((loss, index)) }
            keys.withLock { $0.append((key, lossKey)) }
            camera.thinning?.open { [weak self, weak camera] _ in
                // Another recording may have begun to take them.
                guard let self, let camera, Self.canThin(camera) else { return true }
                return insetRate.withLock { $0.keeps(index) }
            }
        }
    }

    deinit { close() }

    private static func pairing(of cameras: [VideoFeed]) -> FramePairing<ComposableFrame> {
        FramePairing(frameDurations: cameras.map { $0.plan.rate?.frameDuration ?? .zero })
    }

    /// Composes no more, and lets go of all frames.
    func close() {
        let keys = keys.withLock { keys in
            defer { keys = [] }
            return keys
        }
        for (camera, key) in zip(cameras, keys) {
            camera.unlisten(key.frames)
            camera.unlistenForLosses(key.losses)
            camera.thinning?.open { _ in true }
        }
        inner.withLock { $0.pairing = Self.pairing(of: cameras) }
    }

    private func receive(_ frame: TimedSample, from camera: Int) {
        // A device has few buffers, and stops where they are all held.
        let kept =
            cameras[camera].hasFewBuffers
            ? TimedSample(buffer: frame.buffer.copied(), caps: frame.caps, time: frame.time, number: frame.number)
            : frame
        inner.withLock { state in
            if state.caps[camera] != frame.caps,
                let words = state.take(frame.caps, from: camera, named: cameras[camera].name)
            {
                changes.send(words)
            }
            if arrivals.count > 0 {
                arrivals.send(
                    Arrival(
                        frame: frame, camera: camera,
                        isThinned: Self.canThin(cameras[camera]) && insetRate.withLock { $0.isThinned(camera) }))
            }
            single.send((kept, camera))
            guard let upright = state.upright(kept.buffer, from: camera) else { return }
            var outputs = state.pairing.receive(
                upright, number: frame.number, time: frame.time, from: camera, now: now())
            for time in state.pairing.late { lateFrames.send(time) }
            outputs.reverse()
            while let output = outputs.popLast() {
                if let composed = state.compose(output) { frames.send(composed) }
            }
            insetRate.withLock { $0.show(state.compositor.placements) }
        }
    }

    /// Calls the closure for each camera's own frame, before the composed one of its time; the frame may be kept.
    func listenToCameras(_ body: @escaping @Sendable ((frame: TimedSample, camera: Int)) -> Void) {
        _ = single.add(body)
    }

    /// Calls the closure for each camera's frame as it comes; it must not be kept.
    func listenToArrivals(_ body: @escaping @Sendable (Arrival) -> Void) { _ = arrivals.add(body) }

    /// Calls the closure where one of the cameras or its driver says that it lost frames.
    func listenToLosses(_ body: @escaping @Sendable ((loss: FrameLoss, camera: Int)) -> Void) {
        _ = lossReports.add(body)
    }

    /// Calls the closure with the running time of each of the main camera's frames that came when another's had been shown in its place.
    func listenToLateFrames(_ body: @escaping @Sendable (MediaTime) -> Void) { _ = lateFrames.add(body) }

    /// Calls the closure with a sentence where a camera's frames have another size from now on than its first one, or cannot be composed.
    func listenToChanges(_ body: @escaping @Sendable (String) -> Void) { _ = changes.add(body) }

    // MARK: What is shown

    /// Of each camera's frames, once all have given one.
    var sizes: [VideoSize]? { inner.withLock { $0.sizes } }

    /// Frames a second of each camera, where that is known.
    var rates: [Fraction?] {
        inner.withLock { state in
            zip(cameras, state.formats).map { $0.plan.rate ?? $1?.caps.first?["framerate"]?.fractionValue }
        }
    }

    /// What stood where until now, and of what frames: the composed ones, and each camera's. `nil` before all have given one.
    var history: (LayoutHistory, output: ImageFormat, cameras: [VideoSize])? {
        inner.withLock { state in
            guard let format = state.compositor.format, let sizes = state.sizes else { return nil }
            return (state.compositor.history, format.image, sizes)
        }
    }

    /// - Throws: ``RushesError`` if the layout cannot be had with these cameras.
    func check(_ layout: Layout) throws {
        try inner.withLock { state in
            guard let sizes = state.shownSizes else { return }
            try state.compositor.check(layout, sizes: sizes)
        }
    }

    func change(_ change: LayoutChange, over duration: MediaTime) {
        inner.withLock { state in
            guard let sizes = state.shownSizes else { return }
            state.compositor.make(change, at: now(), over: duration, sizes: sizes)
        }
    }

    // MARK: As one camera

    var name: String { cameras[0].name }
    /// Each camera.
    var devices: [(plan: VideoSourcePlan, state: FeedState)] { cameras.map { ($0.plan, $0.state) } }
    var returns: Bool { cameras.contains(where: \.returns) }
    func listen(_ body: @escaping @Sendable (TimedSample) -> Void) -> Int { frames.add(body) }
    func unlisten(_ key: Int) { frames.remove(key) }
    func listenForLosses(_ body: @escaping @Sendable (FrameLoss) -> Void) -> Int { cameras[0].listenForLosses(body) }
    func unlistenForLosses(_ key: Int) { cameras[0].unlistenForLosses(key) }

    // MARK: What relieves the encoders

    /// Whether there are insets of which half of the frames need not be decoded.
    var canThinInsets: Bool {
        guard single.count == 0 else { return false }
        return insetRate.withLock { $0.insets }.contains { Self.canThin(cameras[$0]) }
    }

    /// Whether each frame is a JPEG that nobody else wants, and there are enough of them.
    private static func canThin(_ camera: VideoFeed) -> Bool {
        camera.mayBeThinned && camera.plan.rate.map { $0.doubleValue >= InsetRate.slowest } ?? false
    }

    /// Decodes one of so many frames of each inset from now on; the main camera's frames show the newest that there is.
    func thinInsets(to divisor: Int) { insetRate.withLock { $0.divisor = divisor } }

    /// It runs as long as one of them does.
    var state: FeedState {
        let states = cameras.map(\.state)
        if states.allSatisfy(\.isOver) { return states[0] }
        return states.contains(.running) ? .running : .stalled
    }

    func states() -> AsyncStream<FeedState> {
        let (states, continuation) = AsyncStream.makeStream(of: FeedState.self, bufferingPolicy: .bufferingNewest(1))
        let tasks = cameras.map { camera in
            Task { for await state in camera.states() { continuation.yield(state) } }
        }
        continuation.onTermination = { _ in for task in tasks { task.cancel() } }
        return states
    }

    func firstFrame() async throws -> TimedSample {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for camera in cameras { group.addTask { _ = try await camera.firstFrame() } }
            try await group.waitForAll()
        }
        for (index, camera) in cameras.enumerated() {
            guard inner.withLock({ $0.formats[index] }) == nil else { continue }
            throw RushesError(
                .unsupportedFormat, on: camera.name,
                "\(camera.name) delivers frames that cannot be composed; choose another size for it.")
        }
        guard
            let frame = try await nextFrame(within: max(.seconds(5), Duration(3 * (plan.rate?.frameDuration ?? .zero))))
        else {
            throw RushesError(
                .deviceSilent, on: name, "\(name) and the other cameras deliver no frames together.")
        }
        return frame
    }
}
