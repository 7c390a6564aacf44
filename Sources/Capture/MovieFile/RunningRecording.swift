import Encoding
import GStreamer
import MediaTypes
import Threads

/// The tracks of a running recording: what the devices deliver goes through a ``FrameSelector`` and ``AudioTrack``s to the writer.
///
/// Video and audio come on their devices' threads; the lock is held while a decision is made and handed over, which
/// keeps what is handed over in order, and nothing waits in it.
final class RunningRecording: Sendable {
    let state: Locked<State>
    let writer: MovieWriter
    private let onArm: @Sendable () -> Void
    private let onStart: @Sendable () -> Void
    let onChange: @Sendable (TimedSample) -> Change
    private let onComplete: @Sendable () -> Void
    typealias TimedSample = CaptureInput.TimedSample

    /// What becomes of the track of the frames where they have become others.
    enum Change: Sendable { case end, go(frameLimit: Int) }

    /// A microphone that is further behind than this is recorded as silence from then on; when its samples come again, they are placed at
    /// their own times. Less than the five seconds for which the encoded frames can wait for the audio; more than an audio
    /// server that was held up for two seconds, and hands out what it kept.
    static let timeout: MediaTime = 3 * .second

    /// - Parameters:
    ///   - frameLimit: frames that may wait for the encoder before one is dropped.
    ///   - onChange: called where the frames become others than the ones before, with the first of them.
    ///   - onArm: called once, when the first video or audio has gone to the encoder.
    ///   - onStart: called once, when the first of the movie has, but for what lies before its start.
    ///   - onComplete: called once, when every track has reached the take's end.
    init(
        writer: MovieWriter, timeline: RecordingTimeline, frames: FrameSelector?, videoCaps: Caps?,
        audio: [AudioTrack], mix: MicrophoneMix? = nil, cameras: [CameraTrack] = [], losses: [CameraLosses] = [],
        frameLimit: Int,
        start: StartPoint = .atOnce,
        onChange: @escaping @Sendable (TimedSample) -> Change = { _ in .go(frameLimit: FrameBacklog.fewest) },
        onArm: @escaping @Sendable () -> Void = {},
        onStart: @escaping @Sendable () -> Void, onComplete: @escaping @Sendable () -> Void
    ) {
        self.onChange = onChange
        self.writer = writer
        (self.onArm, self.onStart) = (onArm, onStart)
        self.onComplete = onComplete
        state = Locked(
            State(
                timeline: timeline, frames: frames, videoCaps: videoCaps, frameLimit: frameLimit, audio: audio,
                mix: mix,
                cameras: cameras, losses: losses, start: start))
    }

    var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            if let frames = state.frames { counts.add(frames) }
            counts.cameraDroppedFrames = state.cameras.reduce(0) { $0 + $1.droppedFrames }
            counts.droppedFrames += counts.cameraDroppedFrames
            counts.cameraLosses = state.losses.map(\.frames)
            counts.leftOutFrames = state.cameras.reduce(state.decimator.leftOut) { $0 + $1.leftOutFrames }
            (counts.waitingFrames, counts.waitingLimit) = (writer.waitingFrames, state.frameLimit)
            return counts
        }
    }
    /// Frames that one camera's own movie lacks: those that the camera lost, and that were left out to relieve its encoder, too.
    func droppedFrames(ofCamera index: Int) -> Int {
        state.withLock { state in
            let camera = state.cameras[index]
            return camera.droppedFrames + camera.leftOutFrames + state.losses[index].frames
        }
    }

    /// Frames that count as dropped and that the composed movie does not lack: of the cameras' own movies, and of insets.
    var framesDroppedElsewhere: Int {
        state.withLock { state in
            guard !state.cameras.isEmpty else { return 0 }
            return state.cameras.reduce(0) { $0 + $1.droppedFrames + $1.leftOutFrames }
                + state.losses.dropFirst().reduce(0) { $0 + $1.frames }
        }
    }

    /// When the second frame of each camera's own movie is shown.
    var secondFrames: [MediaTime?] { state.withLock { $0.cameras.map(\.secondFrame) } }
    /// Of each camera's own movie.
    var cameraCounts: [CameraTrack.Counts] { state.withLock { $0.cameras.map(\.counts) } }
    /// The running time at which all tracks end, once that is known.
    var end: MediaTime? { state.withLock { $0.timeline.end } }
    var timeline: RecordingTimeline { state.withLock { $0.timeline } }
    var isPaused: Bool { state.withLock { $0.timeline.isPaused } }
    /// Whether the pause has begun, so that nothing of the movie comes until it ends.
    var isStanding: Bool { state.withLock { $0.timeline.isPaused && !$0.timeline.isAboutToPause } }
    /// The loudness of what was recorded of each microphone since the last call; `nil` where no audio came.
    func readLevels() -> [AudioLevel?] {
        state.withLock { state in state.audio.indices.map { state.audio[$0]?.readLevel() } }
    }

    /// Changes the state under the lock, and calls what has to be called outside it.
    func change(_ body: (inout State) -> Void) {
        let (isArmed, hasStarted, isComplete) = state.withLock { state in
            let before = (state.isArmed, state.isStarted, state.isComplete)
            body(&state)
            return (
                state.isArmed && !before.0, state.isStarted && !before.1, state.isComplete && !before.2
            )
        }
        if isArmed { onArm() }
        if hasStarted { onStart() }
        if isComplete { onComplete() }
    }
}

extension RunningRecording.State {
    /// Whether every track has reached its end.
    fileprivate var isComplete: Bool { frames == nil && isAudioOver }

    /// A sample of a time has gone to its encoder.
    mutating func note(_ time: MediaTime) {
        isArmed = true
        guard !isStarted, start.isReached(by: time) else { return }
        isStarted = true
        if case .from(_, let duration?) = start { timeline.limit(to: time + duration) }
    }
}
