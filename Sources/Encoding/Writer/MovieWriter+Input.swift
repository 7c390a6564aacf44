public import GStreamer
import Synchronization

extension MovieWriter {
    /// What became of a picture that was handed in.
    public enum PictureAnswer: Sendable { case taken, tooMany, closed }

    /// Hands a picture over, timed in the movie. Never waits: where the encoder lies `limit` pictures behind, it refuses.
    ///
    /// A device has few buffers, and stops where they are all held: a picture that has to wait behind others is copied.
    public func append(picture: Buffer, limit: Int) -> PictureAnswer {
        guard let video else { return .closed }
        let waiting = video.waitingBuffers
        guard waiting < limit else { return .tooMany }
        guard video.push(waiting < Self.lent ? picture : picture.copied()) else { return .closed }
        hasData.store(true, ordering: .relaxed)
        return .taken
    }

    /// Pictures that may wait in their device's own buffers.
    private static let lent = 2

    /// Pictures that wait for the encoder.
    public var waitingPictures: Int { video?.waitingBuffers ?? 0 }

    /// Hands sound over, timed in the movie. Never waits and never refuses while the pipeline runs. False if it is closed.
    public func append(sound: Buffer) -> Bool {
        write(sound: sound, to: 0)
    }

    /// Changes what the following pictures are, such as their size after a camera renegotiated. Pictures of another size
    /// are fitted into the first one's; the rate stays the first one's name, as each picture has its own time.
    public func setPictureCaps(_ caps: Caps) {
        guard let rate = pictureRate, let new = caps.first, new.name == "video/x-raw" else {
            video?.setCaps(caps)
            return
        }
        video?.setCaps(Caps(new.name, new.fields.merging(["framerate": rate]) { _, first in first }))
    }

    /// No picture follows.
    public func endPictures() { video?.endOfStream() }
    /// No sound follows.
    public func endSound() { for track in sound { track.endOfStream() } }
}
