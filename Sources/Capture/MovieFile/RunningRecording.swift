import Encoding
import GStreamer
import MovieFiles
import Threads
import Workarounds

/// The tracks of a running recording: what the devices deliver goes through a ``FrameSelector`` and ``AudioTrack``s to the writer.
///
/// Video and audio come on their devices' threads; the lock is held while a decision is made and handed over, which
/// keeps what is handed over in order, and nothing waits in it.
final class RunningRecording: Sendable {
    let state: Locked<State>
    private let writer: MovieWriter
    private let onArm: @Sendable () -> Void
    private let onStart: @Sendable () -> Void
    private let onChange: @Sendable (TimedSample) -> Change
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
    /// Frames that one camera's own movie lacks: those that the camera lost, too.
    func droppedFrames(ofCamera index: Int) -> Int {
        state.withLock { $0.cameras[index].droppedFrames + $0.losses[index].frames }
    }

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

    func receive(_ frame: CaptureInput.TimedSample) {
        change { state in
            if frame.caps != state.videoCaps, let rate = frame.caps.first?["framerate"]?.fractionValue,
                rate.doubleValue > 0
            {
                state.frames?.follow(frameDuration: rate.frameDuration)
            }
            guard
                let answer = state.frames?.decide(
                    time: frame.time, number: frame.number, duration: frame.buffer.duration,
                    isKeyFrame: frame.buffer.isKeyFrame,
                    isGroupStart: { frame.buffer.isGroupStart(frame.caps) }, timeline: &state.timeline)
            else { return }
            switch answer {
            case .skip, .lose: state.waiting = []
            case .wait: state.waiting.append(frame)
            case .end: endVideo(&state)
            case .pass(let time, let duration):
                appendWaiting(duration, &state)
                append(frame, at: time, duration, &state)
            }
            for index in state.cameras.indices { state.cameras[index].advance(to: frame.time, state.timeline) }
        }
    }

    /// Takes a camera's own frame, where each has a movie of its own; before the composed one of the same time.
    func receive(_ frame: CaptureInput.TimedSample, camera: Int) {
        state.withLock { state in
            if state.frames != nil, state.cameras.indices.contains(camera) { state.cameras[camera].append(frame) }
        }
    }

    /// Hands over frames that one behind them needs.
    private func appendWaiting(_ duration: MediaTime, _ state: inout State) {
        let waiting = state.waiting
        state.waiting = []
        for frame in waiting {
            guard let time = state.timeline.movieTime(of: frame.time) else { continue }
            append(frame, at: time, frame.buffer.duration ?? duration, &state)
        }
    }

    private func append(
        _ frame: CaptureInput.TimedSample, at time: MediaTime, _ duration: MediaTime, _ state: inout State
    ) {
        if frame.caps != state.videoCaps {
            state.videoCaps = frame.caps
            guard case .go(let limit) = onChange(frame) else { return endVideo(&state, isLost: true) }
            state.frameLimit = limit
            writer.setVideoCaps(frame.caps)
        }
        guard state.decimator.keeps() else { return }
        let buffer = frame.buffer.retimed(presentationTime: time, duration: duration)
        switch writer.append(frame: buffer, limit: state.frameLimit) {
        case .taken:
            state.note(time)
            state.counts.frames += 1
            state.counts.duration = max(state.counts.duration, time + duration)
        case .tooMany: state.counts.droppedFrames += 1
        case .closed: break
        }
    }

    func receive(_ chunk: AudioChunk, of microphone: Int, now: MediaTime) {
        changeAudio(microphone) { $0.take(chunk, $1, now: now) }
    }

    /// Hands the encoders no more than that of the frames from now on.
    func decimate(_ decimation: FrameDecimation) {
        state.withLock { state in
            state.decimator.divisor = decimation.movie
            for index in state.cameras.indices { state.cameras[index].decimate(to: decimation.eachCamera) }
        }
    }

    /// Hands nothing more to one camera's own movie.
    func endCamera(_ index: Int) {
        state.withLock { if $0.cameras.indices.contains(index) { $0.cameras[index].abandon() } }
    }

    /// Ends the track of the frames where it stands.
    ///
    /// - Parameter isLost: what a camera that is gone did not deliver is told in other words than as a number of frames.
    func endVideo(isLost: Bool = false) { change { endVideo(&$0, isLost: isLost) } }

    /// Ends a microphone's audio at the take's end; what has not come until now is silence.
    func endAudio(_ microphone: Int) {
        changeAudio(microphone) { audio, timeline in
            var timeline = timeline
            timeline.settleEnd()
            return timeline.end.map { audio.fill(to: $0, timeline) } ?? []
        }
        change { endAudio(microphone, &$0) }
    }

    func changeAudio(_ microphone: Int, _ body: (inout AudioTrack, RecordingTimeline) -> [Buffer]) {
        change { state in
            guard var audio = state.audio[microphone] else { return }
            let buffers = body(&audio, state.timeline)
            append(state.mix?.take(buffers, of: microphone) ?? buffers, of: microphone, &state)
            state.audio[microphone] = audio
            state.counts.duration = max(state.counts.duration, audio.duration)
            if audio.isComplete { endAudio(microphone, &state) }
        }
    }

    private func append(_ buffers: [Buffer], of microphone: Int, _ state: inout State) {
        for buffer in buffers where writer.append(audio: buffer, to: state.mix == nil ? microphone : 0) {
            // Frames decide where the movie begins.
            if state.frames == nil || state.start == .atOnce { state.note(buffer.presentationTime ?? .zero) }
        }
    }

    private func endVideo(_ state: inout State, isLost: Bool = false) {
        guard var frames = state.frames else { return }
        state.waiting = []
        frames.settleEnd(of: &state.timeline)
        writer.endVideo()
        for index in state.cameras.indices { state.cameras[index].end(state.timeline) }
        for index in state.losses.indices { state.losses[index].finish(state.timeline) }
        frames.finish(isLost ? nil : state.timeline)
        state.counts.add(frames)
        state.frames = nil
    }

    private func endAudio(_ microphone: Int, _ state: inout State) {
        guard state.audio[microphone] != nil else { return }
        state.audio[microphone] = nil
        guard state.mix != nil else { return writer.endAudio(of: microphone) }
        append(state.mix?.end(microphone) ?? [], of: microphone, &state)
        if state.isAudioOver { writer.endAudio() }
    }

    /// Changes the state under the lock, and calls what has to be called outside it.
    private func change(_ body: (inout State) -> Void) {
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
    fileprivate var isAudioOver: Bool { audio.allSatisfy { $0 == nil } }
    /// Whether every track has reached its end.
    fileprivate var isComplete: Bool { frames == nil && isAudioOver }

    /// A sample of a time has gone to its encoder.
    fileprivate mutating func note(_ time: MediaTime) {
        isArmed = true
        guard !isStarted, start.isReached(by: time) else { return }
        isStarted = true
        if case .from(_, let duration?) = start { timeline.limit(to: time + duration) }
    }
}
