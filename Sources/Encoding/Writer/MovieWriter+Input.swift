package import GStreamer
package import MediaTypes
import Synchronization

extension MovieWriter {
    /// What became of a frame that was handed in.
    package enum AppendResult: Sendable { case taken, tooMany, closed }

    /// Hands a frame over, timed in the movie. Never waits: where the encoder lies `limit` frames behind, it refuses.
    ///
    /// In a copied stream, the frames after a refused one are refused up to the next key frame, as they cannot be decoded without it. A
    /// frame that has to wait behind others is copied: a device has few buffers, and stops when all are held.
    package func append(frame: Buffer, limit: Int) -> AppendResult {
        guard let video else { return .closed }
        let waiting = video.waitingFrames
        let canBegin = frame.isKeyFrame || !lacksReference.load(ordering: .relaxed)
        lacksReference.store(waiting >= limit || !canBegin, ordering: .relaxed)
        guard waiting < limit, canBegin else { return .tooMany }
        guard video.push(waiting < Self.uncopiedFrames ? frame : frame.copied()) else { return .closed }
        note(frame)
        return .taken
    }

    /// Frames that may wait in their device's own buffers.
    private static let uncopiedFrames = 2

    /// Frames that wait for the encoder.
    package var waitingFrames: Int { video?.waitingFrames ?? 0 }

    /// Hands audio over, timed in the movie. Never waits and never refuses while the pipeline runs. False if it is closed.
    package func append(audio: Buffer, to track: Int = 0) -> Bool {
        write(audio: audio, to: track)
    }

    /// Changes what the following frames are, such as their size after a camera renegotiated. Frames of another size
    /// are fitted into the first one's; the rate stays the first one's name, as each frame has its own time.
    package func setVideoCaps(_ caps: Caps) {
        guard let rate = frameRate, let new = caps.first, new.name == "video/x-raw" else {
            video?.setCaps(caps)
            return
        }
        video?.setCaps(Caps(new.name, new.fields.merging(["framerate": rate]) { _, first in first }))
    }

    /// Presents the last frame of the file until a time, also where the encoder's packets do not say for how long.
    package func holdLastFrame(until end: MediaTime) { sequence?.last?.isFollowed(at: end) }

    /// No frame follows.
    package func endVideo() { video?.endOfStream() }
    /// No audio follows in any track.
    package func endAudio() { for track in audio { track.endOfStream() } }
}
