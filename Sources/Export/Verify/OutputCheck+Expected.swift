import MediaTypes

extension OutputCheck {
    /// What the file has to be.
    struct Expected: Sendable {
        /// Of the first video track; `nil` where there is no frame.
        var frames: Int?
        /// How many video tracks there are, where there are frames.
        var videoTracks = 1
        var audioTracks = 0
        /// Frames a second of the audio tracks, where they are known.
        var audioRates: [Int] = []
        /// Channels of the audio tracks; nil of one whose are not known.
        var audioChannels: [Int?] = []
        /// Which audio tracks are the input's own packets, whether anything here decodes them or not.
        var copiedAudio: Set<Int> = []
        /// Which of them nothing decodes.
        var undecodable: Set<Int> = []
        /// Whether the frames are the input's own packets, likewise.
        var areFramesCopied = false
        /// Whether nothing decodes them.
        var areFramesUndecodable = false
        /// Of the longest track.
        var duration: MediaTime = .zero
        /// When the last frame begins; it can be shown for long, and audio can outlast it.
        var lastFrame: MediaTime?
        /// Whether the first frame can be decoded by itself.
        var beginsWithKeyFrame = false
        /// Whether every frame in the file is shown.
        var showsAllFrames = true
        /// The samples are the input's own bytes: what of them can be decoded says nothing about the copy.
        var areBytesCopied = false
        /// How long one frame, or one packet of audio, lasts.
        var timingTolerance: MediaTime = 50 * .millisecond

        /// It, and then it without what is the input's own packets: what of those can be decoded says nothing about the copy.
        var decodable: [Expected] {
            var all = [self]
            if !copiedAudio.isEmpty {
                all.append(self)
                all[1].undecodable = copiedAudio
            }
            guard areFramesCopied else { return all }
            return all
                + all.map { expected in
                    var expected = expected
                    expected.areFramesUndecodable = true
                    return expected
                }
        }
    }
}
