import Encoding
import GStreamer
import Threads
import Workarounds

/// The frames of a recording, and of each camera's own movie: to the encoder, dropped, or the end of their track.
extension RunningRecording {
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
                    isStandIn: frame.isStandIn, isKeyFrame: frame.buffer.isKeyFrame,
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
}
