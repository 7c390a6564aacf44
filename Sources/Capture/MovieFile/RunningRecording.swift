import Encoding
import GStreamer
import MovieFiles
import Threads

/// The tracks of a take that runs: what the devices deliver goes through the gates into the writer.
///
/// Video and audio come on their devices' threads; the lock is held while a decision is made and handed over, which
/// keeps what is handed over in order, and nothing waits in it.
final class RunningRecording: Sendable {
    fileprivate struct State {
        var timeline: RecordingTimeline
        var frames: FrameSelector?
        var videoCaps: Caps?
        /// Frames that may wait for the encoder before one is given up.
        var frameLimit: Int
        var audio: AudioTrack?
        /// Movies of their own of several cameras, in the cameras' order.
        var cameras: [CameraTrack]
        var counts = Counts()
        var decimator = FrameDecimator()
        /// Whether samples have gone to an encoder.
        var isArmed = false
        var isStarted = false
        var start: StartPoint
        var chapters: [MovieInfo.Chapter] = []
    }

    private let state: Locked<State>
    private let writer: MovieWriter
    private let onArm: @Sendable () -> Void
    private let onStart: @Sendable () -> Void
    private let onChange: @Sendable (TimedSample) -> Change
    private let onComplete: @Sendable () -> Void
    typealias TimedSample = CaptureInput.TimedSample

    /// What becomes of the track of the frames where they have become others.
    enum Change: Sendable { case end, go(frameLimit: Int) }

    /// A microphone that lies further behind than this is silent from then on; when it speaks again, it goes on at its
    /// right place. Less than the five seconds for which the encoded frames can wait for the audio; more than an audio
    /// server that was held up for two seconds, and hands out what it kept.
    static let timeout: MediaTime = 3 * .second

    /// - Parameters:
    ///   - frameLimit: frames that may wait for the encoder before one is given up.
    ///   - onChange: called where the frames become others than the ones before, with the first of them.
    ///   - onArm: called once, when the first video or audio has gone to the encoder.
    ///   - onStart: called once, when the first of the movie has, but for what lies before its start.
    ///   - onComplete: called once, when every track has reached the take's end.
    init(
        writer: MovieWriter, timeline: RecordingTimeline, frames: FrameSelector?, videoCaps: Caps?, audio: AudioTrack?,
        cameras: [CameraTrack] = [], frameLimit: Int, start: StartPoint = .atOnce,
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
                cameras: cameras, start: start))
    }

    var counts: Counts {
        state.withLock { state in
            var counts = state.counts
            if let frames = state.frames { counts.add(frames) }
            counts.cameraDroppedFrames = state.cameras.reduce(0) { $0 + $1.droppedFrames }
            counts.droppedFrames += counts.cameraDroppedFrames
            counts.leftOutFrames = state.cameras.reduce(state.decimator.leftOut) { $0 + $1.leftOutFrames }
            (counts.waitingFrames, counts.waitingLimit) = (writer.waitingFrames, state.frameLimit)
            return counts
        }
    }
    /// Of each camera's own movie.
    var cameraCounts: [CameraTrack.Counts] { state.withLock { $0.cameras.map(\.counts) } }
    /// The running time at which all tracks end, once that is known.
    var end: MediaTime? { state.withLock { $0.timeline.end } }
    var timeline: RecordingTimeline { state.withLock { $0.timeline } }
    var isPaused: Bool { state.withLock { $0.timeline.isPaused } }
    /// The loudness of what was recorded since the last call; `nil` without audio.
    func readLevel() -> AudioLevel? { state.withLock { $0.audio?.readLevel() } }

    /// The places that were named, in order.
    var chapters: [MovieInfo.Chapter] { state.withLock { $0.chapters } }

    /// Names a running time's place in the movie; `nil` if the movie has not begun or ends before it.
    func mark(_ title: String?, at time: MediaTime) -> MovieInfo.Chapter? {
        state.withLock { state in
            guard let place = state.timeline.movieTime(of: time), time < state.timeline.end ?? .max else { return nil }
            // Where the first frame is still on its way, its beginning is what is meant.
            let chapter = MovieInfo.Chapter(
                start: max(.zero, place), title: title ?? "Chapter \(state.chapters.count + 1)")
            state.chapters.append(chapter)
            return chapter
        }
    }

    /// Asks for the take to begin. What has come of the audio until now waits for it.
    func request(at time: MediaTime) { state.withLock { $0.timeline.request(at: time) } }

    /// Lets the movie begin with what comes from now on, and what lies before it. Returns the encoders' time.
    ///
    /// - Parameter duration: how long it lasts from there.
    func begin(at time: MediaTime, lasting duration: MediaTime?) -> MediaTime {
        state.withLock { state in
            let begin = state.timeline.movieTime(of: time) ?? .zero
            state.start = .from(begin, lasting: duration)
            return begin
        }
    }

    /// Waits again, as the movie's file could not be begun.
    func standBy() { state.withLock { $0.start = .standby } }

    /// Pauses with the next frame, or at once without a camera. False if nothing runs that could.
    func pause(at time: MediaTime) -> Bool { state.withLock { $0.timeline.pause(at: time) } }

    /// Goes on after a pause with the next frame, or at once without a camera. False if nothing is paused.
    func resume(at time: MediaTime) -> Bool { state.withLock { $0.timeline.resume(at: time) } }

    /// Ends all tracks at a running time, or where the recording is paused; what lies before it still comes in.
    func end(at time: MediaTime) {
        state.withLock { state in
            let timeline = state.timeline
            state.timeline.end(at: time) { state.frames?.border(nearest: $0, timeline) ?? $0 }
        }
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
                    time: frame.time, duration: frame.buffer.duration, isKeyFrame: frame.buffer.isKeyFrame,
                    timeline: &state.timeline)
            else { return }
            switch answer {
            case .skip, .lose: break
            case .end: endVideo(&state)
            case .pass(let time, let duration): append(frame, at: time, duration, &state)
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

    func receive(_ chunk: AudioChunk, now: MediaTime) { changeAudio { $0.take(chunk, $1, now: now) } }

    /// Hands the encoders no more than that of the frames from now on.
    func decimate(_ decimation: FrameDecimation) {
        state.withLock { state in
            state.decimator.divisor = decimation.movie
            for index in state.cameras.indices { state.cameras[index].decimate(to: decimation.eachCamera) }
        }
    }

    /// Lets a pause begin that no frame begins.
    func settle(now: MediaTime) { state.withLock { $0.timeline.settle(at: now) } }

    /// Keeps the audio going in silence where the microphone lies too far behind: a track that stands still would hold up
    /// the other and the file.
    ///
    /// - Parameters:
    ///   - isLost: nobody waits for a microphone that is known to be gone, so that the file is never far behind.
    ///   - isInterrupted: nor for one that is known to say nothing, but may go on with what is on its way.
    func keepAudioGoing(now: MediaTime, isLost: Bool, isInterrupted: Bool = false) {
        changeAudio { audio, timeline in
            guard let reached = timeline.movieTime(of: now) else { return [] }
            if isLost { return audio.fill(to: now, timeline) }
            if isInterrupted { return audio.fill(to: now - .second, timeline) }
            let isLate = reached - audio.duration > Self.timeout
            return isLate ? audio.fill(to: now - Self.timeout + .second, timeline) : []
        }
    }

    /// Keeps the frames going where the camera is gone, one for each second: a track that stands still would hold up the audio and the
    /// file. The last frame lasts until the first of them.
    ///
    /// - Parameter card: what is shown, as ``formatOfFrames`` has it.
    func keepVideoGoing(now: MediaTime, with card: Buffer) {
        let time = now - Self.lag
        let caps = state.withLock { state -> Caps? in
            guard let last = state.frames?.last, time - last >= .second else { return nil }
            return state.videoCaps
        }
        guard let caps else { return }
        receive(CaptureInput.TimedSample(buffer: card.copied(), caps: caps, time: time))
        interruptVideo()
    }

    /// Counts no frames as missing that a camera does not deliver because it is gone.
    func interruptVideo() { state.withLock { $0.frames?.interrupt() } }

    /// Of the frames that came last.
    var formatOfFrames: Caps? { state.withLock { $0.videoCaps } }

    /// How old a frame is when it comes, at most: so much before now is what stands in for frames, and the first one of a camera that is
    /// back lies behind it.
    private static let lag: MediaTime = 300 * .millisecond

    /// Hands nothing more to one camera's own movie.
    func endCamera(_ index: Int) {
        state.withLock { if $0.cameras.indices.contains(index) { $0.cameras[index].abandon() } }
    }

    /// Ends the track of the frames where it stands.
    ///
    /// - Parameter isLost: what a camera that is gone did not deliver is told in other words than as a number of frames.
    func endVideo(isLost: Bool = false) { change { endVideo(&$0, isLost: isLost) } }

    /// Ends the track of the audio at the take's end; what has not come until now is silence.
    func endAudio() {
        changeAudio { audio, timeline in timeline.end.map { audio.fill(to: $0, timeline) } ?? [] }
        change { endAudio(&$0) }
    }

    private func changeAudio(_ body: (inout AudioTrack, RecordingTimeline) -> [Buffer]) {
        change { state in
            guard var audio = state.audio else { return }
            for buffer in body(&audio, state.timeline) where writer.append(audio: buffer) {
                // Frames decide where the movie begins.
                if state.frames == nil || state.start == .atOnce { state.note(buffer.presentationTime ?? .zero) }
            }
            state.audio = audio
            state.counts.duration = max(state.counts.duration, audio.duration)
            if audio.isComplete { endAudio(&state) }
        }
    }

    private func endVideo(_ state: inout State, isLost: Bool = false) {
        guard var frames = state.frames else { return }
        writer.endVideo()
        for index in state.cameras.indices { state.cameras[index].end(state.timeline) }
        frames.finish(isLost ? nil : state.timeline)
        state.counts.add(frames)
        state.frames = nil
    }

    private func endAudio(_ state: inout State) {
        if state.audio != nil { writer.endAudio() }
        state.audio = nil
    }

    /// Changes the state under the lock, and calls what has to be called outside it.
    private func change(_ body: (inout State) -> Void) {
        let (isArmed, hasStarted, isComplete) = state.withLock { state in
            let before = (state.isArmed, state.isStarted, state.frames == nil && state.audio == nil)
            body(&state)
            return (
                state.isArmed && !before.0, state.isStarted && !before.1,
                state.frames == nil && state.audio == nil && !before.2
            )
        }
        if isArmed { onArm() }
        if hasStarted { onStart() }
        if isComplete { onComplete() }
    }
}

extension RunningRecording.State {
    /// A sample of a time has gone to its encoder.
    fileprivate mutating func note(_ time: MediaTime) {
        isArmed = true
        guard !isStarted, start.isReached(by: time) else { return }
        isStarted = true
        if case .from(_, let duration?) = start { timeline.limit(to: time + duration) }
    }
}
