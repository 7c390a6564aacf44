import MediaTypes

extension RecordingMonitor {
    struct Device: Sendable {
        var name: String
        /// Tells cameras of one name apart.
        var id: String?
        var state = FeedState.running
        /// How long it has delivered nothing, where that is too long: a second, or four frames of a slow one.
        var silence: MediaTime?
        /// Whether it is taken up again where it comes back.
        var returns = false
        /// Frames that it lost, of one of several cameras.
        var lostFrames = 0
        /// Frames that it gave when another's had been shown in their place.
        var lateFrames = 0

        /// Why it delivers no more, or `nil`.
        var loss: String? {
            switch state {
            case .running, .stalled, .ended: nil
            case .lost(let words): words
            }
        }
    }

    /// What is seen at one look.
    struct Snapshot: Sendable {
        var writingFailure: String?
        /// What happened to the file's name, where it has none any more.
        var fileLoss: String?
        /// Whether a file takes no more because of the limit of the size.
        var isFull = false
        /// Of all files, the deleted ones too.
        var bytes: Int64 = 0
        /// Of those that were deleted for others.
        var deletedBytes: Int64 = 0
        var freeBytes: Int64?
        /// How much of the movie there is so far.
        var duration = MediaTime.zero
        /// How far the encoders have come, from their own beginning on; a movie that waits for its start begins later.
        var encoded = MediaTime.zero
        /// How long the movie will be, where it has a limit and has begun.
        var wholeDuration: MediaTime?
        /// Where the file that is written begins in the movie, and its bytes.
        var partBegin = MediaTime.zero
        var partBytes: Int64 = 0
        var droppedFrames = 0
        /// Frames that the camera or its driver lost.
        var lostFrames = 0
        /// Frames that wait to be encoded, and how many may.
        var waitingFrames = 0
        var waitingLimit = 1
        /// Frames that the encoder has handed out.
        var encodedFrames = 0
        /// At which speed they are.
        var encoder = EncoderRelief.Snapshot()
        /// Whether the frames are encoded here; of those that come compressed none can be left out.
        var isEncoded = true
        /// What may soon keep the recording from its share of the machine.
        var pressure = PressureMonitor.Snapshot()
        /// Audio that waits to be encoded.
        var waitingAudio = MediaTime.zero
        var camera: Device?
        /// Each of several cameras, where ``camera`` is their composition.
        var composed: [Device] = []
        /// Whether there are insets of which half of the frames need not be decoded.
        var canThinInsets = false
        /// The main one first.
        var microphones: [Device] = []
        /// Each camera's own movie.
        var cameraMovies: [CameraMovieMonitor.Snapshot] = []
        /// Running time of the look.
        var time = MediaTime.zero
        /// What is kept of the past: how much of how much, and in how many bytes; `nil` unless these are too few.
        var shortHistory: (span: MediaTime, wanted: MediaTime, limit: Int)?
        /// Whether the take's end has passed and a track still has not reached it.
        var isOverdue = false

        var backlog: LoadRelief.Backlog { .init(waiting: waitingFrames, limit: waitingLimit) }
    }
}

extension RecordingMonitor.Snapshot {
    /// About how many bytes come yet if the recording ends now. What waits for the encoders counts once a second is written, as the first
    /// frames say little of the others.
    var comingBytes: Int64 {
        let behind = cameraMovies.reduce(Self.share(waitingFrames, encodedFrames)) {
            max($0, Self.share($1.waitingFrames, $1.encodedFrames))
        }
        let waiting = MediaTime(seconds: encoded.seconds * behind)
        let (written, coming) =
            duration - waiting >= .second
            ? (duration - waiting, RecordingMonitor.underWay + waiting) : (duration, RecordingMonitor.underWay)
        return written > .zero ? Int64(Double(bytes) * (coming / written)) : 0
    }

    private static func share(_ waiting: Int, _ encoded: Int) -> Double {
        waiting > 0 ? Double(waiting) / Double(waiting + encoded) : 0
    }
}
