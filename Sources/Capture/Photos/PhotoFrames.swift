import Errors
import GStreamer
import MediaTypes
import Threads

/// The frames that photos are taken of: the main camera's, or the composed ones while several cameras are recorded.
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

    private struct Request {
        let continuation: Frames.Continuation
        let takesOriginal: Bool
        /// Of its first frame.
        var place: PhotoSpace.Place?
    }

    private struct State {
        var camera: VideoFeed?
        var composition: CompositionFeed?
        /// What is listened to: which, with what key.
        var listening: (input: any FrameInput, key: Int, watch: Task<Void, Never>)?
        var ring = FrameRing<CaptureInput.TimedSample>(depth: 1)
        var requests: [Int: Request] = [:]
        var isWanted = false

        var source: (any FrameInput)? { composition ?? camera }
        /// Frames that may be held.
        var limit: Int { PhotoSpace.limit(frameBytes: ring.newest?.frame.buffer.byteCount ?? 0) }
    }

    private let state = Locked(State())
    private let space = PhotoSpace()
    private let changes = Listeners<PhotoReadiness>()
    /// What was told last.
    private let told = Locked<PhotoReadiness>(.notReady)

    init() { space.onRelease { [weak self] in self?.tell() } }

    // MARK: Where they come from

    /// Keeps the newest frames from now on.
    func attach() {
        state.withLock { $0.isWanted = true }
        listen()
    }

    /// The session's main camera; `nil` where it has none, or is closed.
    func follow(_ camera: VideoFeed?) {
        let isOther = state.withLock { state in
            defer { state.camera = camera }
            return state.camera !== camera
        }
        if isOther { listen() }
    }

    /// The composed frames of a recording that begins.
    func follow(_ composition: CompositionFeed) {
        state.withLock { $0.composition = composition }
        listen()
    }

    func leave(_ composition: CompositionFeed) {
        state.withLock { if $0.composition === composition { $0.composition = nil } }
        listen()
    }

    private func listen() {
        let (old, new) = state.withLock { state -> ((any FrameInput, Int)?, (any FrameInput)?) in
            let wanted = state.isWanted ? state.source : nil
            guard state.listening?.input !== wanted else { return (nil, nil) }
            let old = state.listening.map { ($0.input, $0.key) }
            state.listening?.watch.cancel()
            state.listening = nil
            return (old, wanted)
        }
        guard old != nil || new != nil else { return }
        old?.0.unlisten(old?.1 ?? 0)
        fail(with: Self.isClosed)
        guard let new else { return }
        // A device's own buffers are few: it stops where they are all held.
        let depth = (new as? VideoFeed)?.hasFewBuffers == true ? 1 : 3
        state.withLock { $0.ring.depth = depth }
        let key = new.listen { [weak self, weak new] frame in
            if let new { self?.receive(frame, of: new) }
        }
        let states = new.states()
        let watch = Task { [weak self, weak new] in
            for await _ in states {
                guard let new, case .lost(let words) = new.state else { continue }
                self?.fail(
                    with: RushesError(.deviceFailed, on: new.name, "\(new.name) was lost (\(words)); connect it again.")
                )
            }
        }
        let isLate = state.withLock { state in
            guard state.source === new, state.listening == nil else { return true }
            state.listening = (new, key, watch)
            return false
        }
        if isLate {
            watch.cancel()
            new.unlisten(key)
        }
    }

    private static var isClosed: RushesError {
        RushesError(.notRunning, "The camera was closed before the photo was taken; start the session again.")
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
        let isChange = state.withLock { state in
            guard state.source === input else { return false }
            let isFirst = state.ring.newest == nil
            state.ring.append(frame, time: frame.time)
            return deliver(&state, input) || isFirst
        }
        if isChange { tell() }
    }

    /// - Returns: whether anything was due.
    @discardableResult
    private func deliver(_ state: inout State, _ input: any FrameInput) -> Bool {
        var free = max(0, state.limit - space.held)
        let due = state.ring.due(&free)
        for delivery in due { hand(delivery, &state, input) }
        return !due.isEmpty
    }

    private func hand(
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

    // MARK: What is asked for

    /// Asks for frames that follow each other, beginning with the one of an instant.
    ///
    /// - Parameters:
    ///   - time: running time.
    ///   - takesOriginal: whether the camera's own JPEG will do, and is preferred.
    /// - Returns: the frames; `nil` where as many are held as may be. They end with an error where none come.
    /// - Throws: ``RushesError`` if there is no camera.
    func ask(at time: MediaTime, count: Int, takesOriginal: Bool) throws -> Frames? {
        let (frames, continuation) = Frames.makeStream()
        let asked = try state.withLock { state -> (number: Int, limit: MediaTime)? in
            guard let input = state.source else {
                throw RushesError(.notRunning, "There is no camera that runs to take a photo with; start the session.")
            }
            guard space.held < state.limit else { return nil }
            let number = state.ring.ask(at: time, count: count)
            state.requests[number] = Request(
                continuation: continuation, takesOriginal: takesOriginal, place: space.take())
            let rate = input.plan.rate ?? state.ring.newest?.frame.caps.first?["framerate"]?.fractionValue
            deliver(&state, input)
            return (number, 2 * (rate ?? Fraction(1)).frameDuration + Self.delay)
        }
        guard let asked else { return nil }
        let timer = Task { [weak self] in
            while !Task.isCancelled {
                try await Task.sleep(for: Duration(asked.limit))
                self?.look(at: asked.number, limit: asked.limit)
            }
        }
        continuation.onTermination = { [weak self] end in
            timer.cancel()
            // What is finished here is finished under the lock.
            if case .cancelled = end { self?.drop(asked.number) }
        }
        tell()
        return frames
    }

    /// A frame is under way for less than this, on top of two frames' duration.
    private static let delay: MediaTime = 250 * .millisecond

    /// Looks whether frames still come for a request.
    private func look(at number: Int, limit: MediaTime) {
        let silent = state.withLock { state -> (Frames.Continuation, String)? in
            guard let request = state.requests[number], let input = state.source else { return nil }
            if let settled = state.ring.settle(number, limit: limit) {
                hand(settled, &state, input)
                return nil
            }
            guard (input as? VideoFeed)?.isSilent(for: limit) ?? (input.state != .running) else { return nil }
            state.requests[number] = nil
            state.ring.cancel(number)
            return (request.continuation, input.name)
        }
        guard let (continuation, name) = silent else { return }
        continuation.finish(
            throwing: RushesError(
                .deviceSilent, on: name,
                "\(name) delivers no frame just now, so there is no photo; is it covered or unplugged?"))
    }

    private func drop(_ number: Int) {
        state.withLock { state in
            state.requests[number] = nil
            state.ring.cancel(number)
        }
    }

    // MARK: Whether a photo can be taken

    var readiness: AsyncStream<PhotoReadiness> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PhotoReadiness.self, bufferingPolicy: .bufferingNewest(1))
        let key = changes.add { continuation.yield($0) }
        continuation.onTermination = { [changes] _ in changes.remove(key) }
        continuation.yield(current)
        return stream
    }

    private var current: PhotoReadiness {
        let held = space.held
        return state.withLock { state in
            guard state.source != nil, state.ring.newest != nil else { return .notReady }
            return held < state.limit ? .ready : .busy(waiting: held)
        }
    }

    private func tell() {
        let new = current
        let isNew = told.withLock { told in
            defer { told = new }
            return told != new
        }
        if isNew { changes.send(new) }
    }
}
