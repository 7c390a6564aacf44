import MediaTypes

/// Decides what is worth a warning of one camera's own movie, which goes on beside the others or ends before them. Pure.
struct CameraMovieMonitor: Sendable {
    /// What is seen of it at one look.
    struct Snapshot: Sendable {
        var name: String
        /// Frames that wait to be encoded, and how many may.
        var waitingFrames = 0
        var waitingLimit = 1
        /// At which speed they are.
        var encoder = EncoderRelief.Snapshot()
        /// Frames that the encoder had no place for.
        var refusedFrames = 0
        /// Frames that the encoder has handed out.
        var encodedFrames = 0
        /// Whether its audio has almost no place any more to wait for its frames in.
        var isHoldingUp = false
        /// What happened to the file's name, where it has none any more.
        var fileLoss: String?

        var backlog: LoadRelief.Backlog { .init(waiting: waitingFrames, limit: waitingLimit) }
    }

    /// An encoder that hands out nothing for so long, with frames waiting, hangs.
    static let timeout: MediaTime = 5 * .second

    private var told: Set<String> = []
    private var encodedFrames = 0
    private var lastFrame: MediaTime?
    /// Whether it has been told that it ends before the others.
    private(set) var isOver = false

    /// - Parameters:
    ///   - time: of the look, running time.
    ///   - isDecimated: whether frames are left out; another sentence says when that ends.
    /// - Returns: sentences, each told once, but that the encoder falls behind again after it has caught up; and whether the others must
    ///   wait for this movie no longer.
    mutating func evaluate(
        _ snapshot: Snapshot, time: MediaTime, isDecimated: Bool = false
    ) -> (warnings: [String], isHanging: Bool) {
        var warnings: [String] = []
        func tell(_ key: String, _ words: String) {
            if told.insert(key).inserted { warnings.append(words) }
        }
        if let loss = snapshot.fileLoss {
            tell(
                "file", "\(loss); the recording continues, and that movie will be saved under a free name when it ends."
            )
        }
        guard !isOver else { return (warnings, false) }
        if snapshot.waitingFrames == 0 || snapshot.encodedFrames != encodedFrames || lastFrame == nil {
            (encodedFrames, lastFrame) = (snapshot.encodedFrames, time)
        }
        if let lastFrame, snapshot.isHoldingUp, time - lastFrame > Self.timeout {
            isOver = true
            tell(
                "hang",
                "The encoder of \(snapshot.name)'s own movie hangs: that movie ends here, and the others continue."
            )
            return (warnings, true)
        }
        if snapshot.backlog.isBehind {
            tell(
                "behind",
                "The encoder of \(snapshot.name)'s own movie is falling behind: \(snapshot.waitingFrames) of "
                    + "\(snapshot.waitingLimit) buffered frames are waiting for it.")
        } else if snapshot.waitingFrames <= snapshot.waitingLimit / 20, told.remove("behind") != nil,
            !isDecimated, snapshot.encoder.step == 0
        {
            warnings.append("The encoder of \(snapshot.name)'s own movie has caught up.")
        }
        if snapshot.refusedFrames > 0 {
            tell(
                "frames",
                "The encoder of \(snapshot.name)'s own movie cannot keep up: frames are being dropped.")
        }
        return (warnings, false)
    }
}
