import GStreamer

/// Where a camera's frames lie on its own even rhythm, without the scatter of their stamps.
struct FrameIntervalTracker: Sendable {
    private(set) var frameDuration: MediaTime
    /// The last frame's.
    private(set) var last: MediaTime?

    init(frameDuration: MediaTime) { self.frameDuration = frameDuration }

    /// Another rhythm from the last frame on.
    mutating func follow(frameDuration new: MediaTime) { frameDuration = new }

    /// The time on the rhythm that belongs to the next frame's stamp.
    mutating func smooth(_ stamp: MediaTime) -> MediaTime {
        guard let last else {
            self.last = stamp
            return stamp
        }
        let distance = (stamp - last) / frameDuration
        // Several that were held up and come at once share a place: each one would else move all those that follow.
        // Stamps are late rather than early.
        let frames = distance < 0.25 ? 0 : max(1, Int((distance + 0.25).rounded(.down)))
        let expected = last + frames * frameDuration
        // A tenth of the difference follows a camera that is 1 % off its promise, and lets little of the scatter through.
        let smooth = expected + (stamp - expected) / 10
        self.last = smooth
        return smooth
    }
}
