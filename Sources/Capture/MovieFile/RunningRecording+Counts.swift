import GStreamer

extension RunningRecording {
    /// What happened, in numbers.
    struct Counts: Sendable, Equatable {
        /// How much of the movie there is so far, by whichever track is further.
        var duration = MediaTime.zero
        var frames = 0
        /// Frames that came and are not in the movie.
        var droppedFrames = 0
        /// Those of them that the cameras' own movies lack.
        var cameraDroppedFrames = 0
        /// Frames that did not come when they should have.
        var missingFrames = 0
        /// Frames that were left out to relieve the encoders, those of the cameras' own movies too.
        var leftOutFrames = 0
        /// Frames that wait for the encoder, and how many may.
        var waitingFrames = 0
        var waitingLimit = 1
    }
}

extension RunningRecording.Counts {
    /// Adds what a track has counted by itself.
    mutating func add(_ frames: FrameSelector) {
        droppedFrames += frames.lost
        missingFrames += frames.missing
    }
}
