import Errors
import GStreamer
import MediaTypes
import Threads

/// The frames that photos are taken of: those that a session's ``SessionFrames`` are.
///
/// Frames come on a streaming thread, which waits for nothing here: it copies what was asked for, and goes on.
final class PhotoFrames: Sendable {
    /// A frame that was asked for, in memory of its own.
    struct Frame: Sendable {
        /// Raw, or the camera's own JPEG.
        let buffer: Buffer
        let caps: Caps
        /// Running time.
        let time: MediaTime
        /// As the camera hangs.
        let orientation: MovieOrientation
        let camera: String
        /// Given back with the frame.
        fileprivate let place: PhotoSpace.Place
    }
    typealias Frames = AsyncThrowingStream<Frame, any Error>

    struct Request {
        let continuation: Frames.Continuation
        let takesOriginal: Bool
        /// Of its first frame.
        var place: PhotoSpace.Place?
    }

    struct State {
        /// Whether frames are kept.
        var isAttached = false
        /// Tells when the source is lost.
        var watch: Task<Void, Never>?
        var ring = FrameRing<CaptureInput.TimedSample>(depth: 1)
        var requests: [Int: Request] = [:]

        /// Frames that may be held.
        var limit: Int { PhotoSpace.limit(frameBytes: ring.newest?.frame.buffer.byteCount ?? 0) }
    }

    let source: SessionFrames
    let state = Locked(State())
    /// For how many outputs it listens, and by what it ends that.
    private let listening = Locked<(outputs: Int, keys: (frames: Int, changes: Int)?)>((0, nil))
    let space = PhotoSpace()
    let changes = Listeners<PhotoReadiness>()
    /// What was told last.
    let told = Locked<PhotoReadiness>(.notReady)

    init(_ frames: SessionFrames) {
        source = frames
        space.onRelease { [weak self] in self?.tell() }
    }

    deinit { state.withLock { $0.watch }?.cancel() }

    /// Keeps the newest frames from now on, for one output more.
    func attach() {
        listening.withLock { listening in
            listening.outputs += 1
            guard listening.keys == nil else { return }
            state.withLock { $0.isAttached = true }
            listening.keys = source.listen { [weak self] in
                self?.take($0)
            } _: { [weak self] in
                self?.receive($0.frame, of: $0.input)
            }
        }
    }

    /// Keeps none where no output is left: the camera's few buffers go back to it.
    func detach() {
        listening.withLock { listening in
            listening.outputs -= 1
            guard listening.outputs == 0, let keys = listening.keys else { return }
            listening.keys = nil
            state.withLock { $0.isAttached = false }
            source.unlisten(keys)
            watch(nil)
            fail(with: Self.isRemoved)
        }
    }

    /// Frames come from another source from now on.
    private func take(_ source: (any FrameInput)?) {
        fail(with: source == nil ? Self.isClosed : Self.isReplaced)
        let states = source?.states()
        let watch = states.map { states in
            Task { [weak self, weak source] in
                for await _ in states {
                    guard let source, case .lost(let words) = source.state else { continue }
                    self?.fail(
                        with: RushesError(
                            .deviceFailed, on: source.name, "\(source.name) was lost (\(words)); connect it again."))
                }
            }
        }
        self.watch(watch)
    }

    private func watch(_ new: Task<Void, Never>?) {
        state.withLock { state in
            state.watch?.cancel()
            // It may have been told of the source just as nobody was left.
            guard state.isAttached else { return new?.cancel() ?? () }
            state.watch = new
        }
    }

    private static var isClosed: RushesError {
        RushesError(.notRunning, "The camera was closed before the photo was taken; start the session again.")
    }

    private static var isReplaced: RushesError {
        RushesError(.notRunning, "The photo was not taken: the cameras were composed anew just then; take it again.")
    }

    private static var isRemoved: RushesError {
        RushesError(.notRunning, "The photo was not taken: its output was removed from the session; add it again.")
    }

    /// Ends what waits for frames, and forgets those that there are.
    private func fail(with error: RushesError) {
        let requests = state.withLock { state in
            state.ring.clear()
            defer { state.requests = [:] }
            return Array(state.requests.values)
        }
        for request in requests { request.continuation.finish(throwing: error) }
        tell()
    }

    private func receive(_ frame: CaptureInput.TimedSample, of input: any FrameInput) {
        // Another camera may have followed. A device's own buffers are few: it stops where they are all held.
        let depth = (input as? VideoFeed)?.hasFewBuffers == true ? 1 : 3
        let isChange = state.withLock { state in
            guard state.isAttached else { return false }
            if state.ring.depth != depth { state.ring.depth = depth }
            let isFirst = state.ring.newest == nil
            state.ring.append(frame, time: frame.time)
            return deliver(&state, input) || isFirst
        }
        if isChange { tell() }
    }

    /// Hands out what was asked for and is there by now.
    ///
    /// - Returns: whether anything was due.
    @discardableResult
    func deliver(_ state: inout State, _ input: any FrameInput) -> Bool {
        var free = max(0, state.limit - space.held)
        let due = state.ring.due(&free)
        for delivery in due { hand(delivery, &state, input) }
        return !due.isEmpty
    }

    func hand(
        _ delivery: FrameRing<CaptureInput.TimedSample>.Delivery, _ state: inout State, _ input: any FrameInput
    ) {
        guard let request = state.requests[delivery.request] else { return }
        let place = request.place ?? space.take()
        state.requests[delivery.request]?.place = nil
        let sample = delivery.frame.frame
        let original = request.takesOriginal ? sample.original : nil
        // A pool that lost many would grow, and keep what it has grown to.
        let frame = Frame(
            buffer: original ?? sample.buffer.copied(),
            caps: original.map { _ in Caps("image/jpeg", [:]) } ?? sample.caps,
            time: sample.time, orientation: input is VideoFeed ? input.plan.orientation : .upright, camera: input.name,
            place: place)
        request.continuation.yield(frame)
        if delivery.isLast {
            request.continuation.finish()
            state.requests[delivery.request] = nil
        }
    }
}
