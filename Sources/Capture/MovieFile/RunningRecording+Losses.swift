import MediaTypes
import Threads

/// What cameras lose while they are recorded.
extension RunningRecording {
    /// Counts frames that a camera lost while they were recorded.
    func count(_ loss: FrameLoss) {
        state.withLock { state in
            if state.timeline.holds(loss.time) { state.counts.toldMissingFrames += loss.frames }
        }
    }

    /// Takes note of a frame of one of several cameras.
    func note(_ arrival: CompositionFeed.Arrival) {
        state.withLock { state in
            guard state.frames != nil, state.losses.indices.contains(arrival.camera) else { return }
            if arrival.isThinned { return state.losses[arrival.camera].skip(arrival.frame) }
            state.losses[arrival.camera].add(arrival.frame, state.timeline)
        }
    }

    /// Counts a frame of the main one of several cameras that came too late to be shown.
    func countLate(_ time: MediaTime) {
        state.withLock { if $0.timeline.holds(time) { $0.counts.lateFrames += 1 } }
    }

    /// Counts frames that one of several cameras lost while they were recorded.
    func count(_ loss: FrameLoss, of camera: Int) {
        state.withLock { state in
            if state.losses.indices.contains(camera) { state.losses[camera].add(loss, state.timeline) }
        }
    }
}
