import GStreamer
import Threads

/// The session's current frames, for outputs beside a recording: the main camera's, or the composed ones while several cameras are
/// recorded. Changes between them automatically.
final class SessionFrames: Sendable {
    /// A frame and where it comes from.
    typealias Frame = (frame: CaptureInput.TimedSample, input: any FrameInput)

    private struct State {
        var camera: VideoFeed?
        var composition: CompositionFeed?
        /// What is listened to, with what key.
        var listening: (input: any FrameInput, key: Int)?
        var listeners = 0

        var source: (any FrameInput)? { composition ?? camera }
    }

    private let state = Locked(State())
    private let frames = Listeners<Frame>()
    private let changes = Listeners<(any FrameInput)?>()

    deinit {
        if let listening = state.withLock({ $0.listening }) { listening.input.unlisten(listening.key) }
    }

    /// `nil` where the session has no camera, or is closed.
    var current: (any FrameInput)? { state.withLock { $0.source } }

    // MARK: Where they come from

    /// The session's main camera; `nil` where it has none, or is closed.
    func follow(_ camera: VideoFeed?) {
        let isOther = state.withLock { state in
            defer { state.camera = camera }
            return state.camera !== camera
        }
        if isOther { turn() }
    }

    /// The composed frames of a recording that begins.
    func follow(_ composition: CompositionFeed) {
        state.withLock { $0.composition = composition }
        turn()
    }

    func leave(_ composition: CompositionFeed) {
        state.withLock { if $0.composition === composition { $0.composition = nil } }
        turn()
    }

    // MARK: Who looks

    /// Calls the closure for each frame, on a streaming thread, which waits for nothing.
    ///
    /// - Parameter onChange: called before the first frame of another source, and with `nil` where there is none any more.
    func listen(
        onChange: @escaping @Sendable ((any FrameInput)?) -> Void = { _ in },
        _ body: @escaping @Sendable (Frame) -> Void
    ) -> (frames: Int, changes: Int) {
        let keys = (frames.add(body), changes.add(onChange))
        let listening = state.withLock { state in
            state.listeners += 1
            return state.listening?.input
        }
        if let listening { onChange(listening) } else { turn() }
        return keys
    }

    func unlisten(_ keys: (frames: Int, changes: Int)) {
        frames.remove(keys.frames)
        changes.remove(keys.changes)
        state.withLock { $0.listeners -= 1 }
        turn()
    }

    /// Listens to what is the source by now, if anybody looks.
    private func turn() {
        let change = state.withLock { state -> (old: (any FrameInput, Int)?, new: (any FrameInput)?)? in
            let wanted = state.listeners > 0 ? state.source : nil
            guard state.listening?.input !== wanted else { return nil }
            defer { state.listening = nil }
            return (state.listening.map { ($0.input, $0.key) }, wanted)
        }
        guard let change else { return }
        change.old?.0.unlisten(change.old?.1 ?? 0)
        changes.send(change.new)
        guard let new = change.new else { return }
        let key = new.listen { [weak self, weak new] frame in
            if let self, let new, current === new { frames.send((frame, new)) }
        }
        let isLate = state.withLock { state in
            guard state.source === new, state.listening == nil, state.listeners > 0 else { return true }
            state.listening = (new, key)
            return false
        }
        if isLate { new.unlisten(key) }
    }
}
