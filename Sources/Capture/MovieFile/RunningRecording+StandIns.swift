import GStreamer
import MediaTypes
import Threads

/// What stands in for a device that delivers nothing: silence, the last frame, or a card that says why there are no others.
extension RunningRecording {
    /// Keeps a microphone's audio going in silence where it lies too far behind: a track that stands still would hold up
    /// the others and the file.
    ///
    /// - Parameters:
    ///   - microphone: by its number.
    ///   - isLost: nobody waits for a microphone that is known to be gone, so that the file is never far behind.
    ///   - isInterrupted: nor for one that is known to say nothing, but may go on with what is on its way.
    func keepAudioGoing(of microphone: Int = 0, now: MediaTime, isLost: Bool, isInterrupted: Bool = false) {
        changeAudio(microphone) { audio, timeline in
            // What is moved to earlier comes so much later.
            let now = now + min(.zero, audio.delay)
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

    /// The same of one of several cameras.
    func interruptCamera(_ index: Int) {
        state.withLock { if $0.losses.indices.contains(index) { $0.losses[index].interrupt() } }
    }

    /// Whether all microphones are in one track.
    var isMixed: Bool { state.withLock { $0.mix != nil } }

    /// Of the frames that came last.
    var formatOfFrames: Caps? { state.withLock { $0.videoCaps } }

    /// How old a frame is when it comes, at most: so much before now is what stands in for frames, and the first one of a camera that is
    /// back lies behind it.
    private static let lag: MediaTime = 300 * .millisecond
}
