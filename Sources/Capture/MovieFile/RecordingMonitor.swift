import MediaTypes

/// Decides whether what is seen of a running take ends it, or is worth a warning. Each warning is given once; that the encoder
/// falls behind again after it has caught up, which is told where no change of its speed or of the frames tells it.
struct RecordingMonitor: Sendable {
    let limits: RecordingLimits
    /// What becomes of the cameras and microphones.
    private(set) var devices: DeviceMonitor
    private var told: Set<String> = []
    private var standstill = Standstill()
    /// Audio that waits because this process stood still, and not because anything is slow; as long as it has not been encoded.
    private var forgivenAudio: MediaTime = .zero
    /// Of ``Snapshot/cameraMovies``.
    private var cameraMovies: [CameraMovieMonitor] = []

    private var pressure = PressureMonitor()

    /// Audio that waits is warned about at four seconds and ends the take at twenty, long before memory is short.
    static let waitingAudio: (warning: MediaTime, end: MediaTime) = (4 * .second, 20 * .second)
    /// What is handed over and not taken yet is no backlog.
    static let fewWaiting = 2
    /// How much of the movie is on its way when a limit is looked at: in the encoder, in the fragment under way, and until
    /// the next look.
    static let underWay: MediaTime = 1050 * .millisecond

    /// An encoder that hands out nothing for so long, with frames waiting and a disk that takes what it gets, hangs.
    static let hanging = 10 * MediaTime.second
    /// When the encoder or the file had other numbers.
    private var lastEncoded: (frames: Int, bytes: Int64, time: MediaTime)?

    /// - Parameter cameras: the identities of those that are recorded at the beginning, where they are known.
    init(limits: RecordingLimits, cameras: [String?] = []) {
        self.limits = limits
        devices = DeviceMonitor(endsOnLoss: limits.endsOnDeviceLoss, cameras: cameras)
    }

    /// - Parameter isDecimated: whether frames are left out; another sentence says when that ends.
    /// - Returns: the names of cameras that follow others, sentences for people, why the take ends, and the cameras whose own movies the
    ///   others must wait for no longer.
    mutating func evaluate(
        _ snapshot: Snapshot, isDecimated: Bool = false
    ) -> (switched: [String], warnings: [String], end: RecordingEndReason?, hanging: [Int]) {
        var warnings: [String] = []
        let (switched, lost) = devices.evaluate(snapshot)
        func tell(_ key: String, _ words: String) {
            if told.insert(key).inserted { warnings.append(words) }
        }
        let stoodStill = standstill.look(at: snapshot.time)
        let wasAsleep = stoodStill != nil
        forgivenAudio = wasAsleep ? snapshot.waitingAudio : min(forgivenAudio, snapshot.waitingAudio)
        let waitingAudio = snapshot.waitingAudio - forgivenAudio
        // A disk that takes its time holds up the encoder too, and that is told in other words.
        let isMoving = snapshot.encodedFrames != lastEncoded?.frames || snapshot.bytes != lastEncoded?.bytes
        if wasAsleep || isMoving || snapshot.waitingFrames <= Self.fewWaiting || snapshot.pressure.diskDelay >= .second
        {
            lastEncoded = (snapshot.encodedFrames, snapshot.bytes, snapshot.time)
        }
        warnings += lost + [stoodStill.flatMap(Standstill.words)].compactMap(\.self)
        warnings += evaluateSilence(snapshot, wasAsleep: wasAsleep)
        warnings += pressure.evaluate(snapshot.pressure, time: snapshot.time)
        if waitingAudio > Self.waitingAudio.warning {
            tell(
                "backlog",
                "The disk or the encoder is too slow: \(Int(waitingAudio.seconds)) seconds of audio are waiting."
            )
        }
        if snapshot.backlog.isBehind {
            tell(
                "behind",
                "The encoder is falling behind: \(snapshot.waitingFrames) of \(snapshot.waitingLimit) buffered frames are waiting for it"
                    + "\(snapshot.pressure.others.map { "; other programs are using \($0)" } ?? "").")
        } else if snapshot.waitingFrames <= snapshot.waitingLimit / 20, told.remove("behind") != nil,
            !isDecimated, snapshot.encoder.step == 0
        {
            warnings.append("The encoder has caught up.")
        }
        if let (span, wanted, limit) = snapshot.shortHistory {
            tell(
                "history",
                "Only the last \(span.tenths) of \(wanted.tenths) seconds are kept: more is larger than the "
                    + "\(limit / 1_000_000) MB of memory set aside for it.")
        }
        if snapshot.droppedFrames > 0 {
            tell("frames", "The encoder cannot keep up: frames are being dropped.")
        }
        if standstill.blames(nil, for: snapshot.lostFrames) {
            tell("lost", Self.lostFrames("the camera"))
        }
        for (index, camera) in snapshot.composed.enumerated() where standstill.blames(index, for: camera.lostFrames) {
            tell("lost \(index)", Self.lostFrames(camera.name))
        }
        for camera in snapshot.composed where camera.lateFrames > 0 {
            tell(
                "late",
                "Frames from \(camera.name) came too late: another camera's were shown in their place; they count as dropped."
            )
        }
        var hanging: [Int] = []
        for (index, movie) in snapshot.cameraMovies.enumerated() {
            if cameraMovies.count <= index { cameraMovies.append(CameraMovieMonitor()) }
            let (words, isHanging) = cameraMovies[index].evaluate(movie, time: snapshot.time, isDecimated: isDecimated)
            warnings += words
            if isHanging { hanging.append(index) }
        }
        return (switched, warnings, end(snapshot, waitingAudio: waitingAudio), hanging)
    }

    /// The movie begins.
    mutating func begin() { devices.begin() }

    /// All encoders with what waits for them, the movie's first. One of a camera's own movie that hangs and was given up has nothing to do.
    func encoders(_ snapshot: Snapshot) -> [(encoder: EncoderRelief.Snapshot, backlog: LoadRelief.Backlog)] {
        [(snapshot.encoder, snapshot.backlog)]
            + zip(snapshot.cameraMovies, cameraMovies).map {
                $1.isOver ? (EncoderRelief.Snapshot(), LoadRelief.Backlog()) : ($0.encoder, $0.backlog)
            }
    }

    private static func lostFrames(_ camera: String) -> String {
        "Frames from \(camera) are missing: the camera, its driver or its server lost them; they count as dropped."
    }

    /// - Parameter wasAsleep: this process itself stood still, and frames are on their way.
    private mutating func evaluateSilence(_ snapshot: Snapshot, wasAsleep: Bool) -> [String] {
        guard let camera = snapshot.camera, camera.loss == nil else { return [] }
        if let silence = camera.silence {
            guard !wasAsleep, told.insert("silent").inserted else { return [] }
            let words = silence > .second ? "\(silence.tenths) seconds" : "a second"
            return ["\(camera.name) has not delivered a frame for \(words); its last one stays until it does."]
        }
        return told.remove("silent") == nil ? [] : ["\(camera.name) delivers frames again."]
    }

    private func end(_ snapshot: Snapshot, waitingAudio: MediaTime) -> RecordingEndReason? {
        if snapshot.isFull { return .maximumSizeReached }
        if let failure = snapshot.writingFailure { return .writingFailed(failure) }
        if let loss = snapshot.fileLoss { return .fileLost(loss) }
        // Without a camera the microphones are what the recording lives by.
        let life = snapshot.camera.map { [$0] } ?? snapshot.microphones
        if !life.isEmpty, life.allSatisfy({ $0.state == .ended }) { return .stopped }
        if let loss = devices.end(snapshot) { return loss }
        if let last = lastEncoded?.time, snapshot.time - last > Self.hanging {
            return .writingFailed(
                "the encoder has stopped: it has encoded nothing for \(Self.hanging.quotient(dividingBy: .second)) seconds"
            )
        }
        if snapshot.isOverdue { return .maximumDurationReached }
        let coming = snapshot.comingBytes
        let kept = snapshot.bytes - snapshot.deletedBytes
        if let limit = limits.maxRecordedFileSize, kept + coming >= limit { return .maximumSizeReached }
        // None is to stay free: then the disk itself says when it is full.
        let room = limits.minFreeDiskSpaceLimit
        if room > 0, let free = snapshot.freeBytes, free - coming < room {
            return .minimumFreeSpaceReached
        }
        return waitingAudio > Self.waitingAudio.end
            ? .writingFailed("the disk is too slow for this recording") : nil
    }
}

extension MediaTime {
    /// Seconds with one digit behind the point, rounded down.
    var tenths: String {
        let tenths = quotient(dividingBy: 100 * .millisecond)
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
