import MediaTypes

/// Decides whether what is seen of a running take ends it, or is worth a warning. Each warning is given once; that the encoder
/// falls behind again after it has caught up.
struct RecordingMonitor: Sendable {
    struct Device: Sendable {
        var name: String
        /// Tells cameras of one name apart.
        var id: String?
        var state = FeedState.running
        /// How long it has delivered nothing, where that is too long: a second, or four frames of a slow one.
        var silence: MediaTime?
        /// Whether it is taken up again where it comes back.
        var returns = false

        /// Why it delivers no more, or `nil`.
        var loss: String? {
            switch state {
            case .running, .stalled, .ended: nil
            case .lost(let words): words
            }
        }
    }

    /// What is seen at one look.
    struct Sight: Sendable {
        var writingFailure: String?
        /// What happened to the file's name, where it has none any more.
        var fileLoss: String?
        var bytes: Int64 = 0
        var freeBytes: Int64?
        /// How much of the movie there is so far.
        var duration = MediaTime.zero
        /// Where the file that is written begins in the movie, and its bytes.
        var partBegin = MediaTime.zero
        var partBytes: Int64 = 0
        var droppedFrames = 0
        /// Frames that the camera or its driver lost.
        var lostFrames = 0
        /// Frames that wait to be encoded, and how many may.
        var waitingFrames = 0
        var waitingLimit = 1
        /// At which speed they are.
        var encoder = EncoderRelief.Sight()
        /// Whether the frames are encoded here; of those that come compressed none can be left out.
        var isEncoded = true
        /// The machine's cores, and how many of them others leave free; `nil` where that is not known.
        var cores: (count: Int, free: Double)?
        /// Audio that waits to be encoded.
        var waitingAudio = MediaTime.zero
        var camera: Device?
        /// Each of several cameras, where ``camera`` is their composition.
        var composed: [Device] = []
        var microphone: Device?
        /// Each camera's own movie.
        var cameraMovies: [CameraMovieMonitor.Sight] = []
        /// Running time of the look.
        var time = MediaTime.zero
        /// What is kept of the past: how much of how much, and in how many bytes; `nil` unless these are too few.
        var shortHistory: (span: MediaTime, wanted: MediaTime, limit: Int)?
        /// Whether the take's end has passed and a track still has not reached it.
        var isOverdue = false
    }

    let limits: RecordingLimits
    private var told: Set<String> = []
    /// Devices that were lost while the take went on.
    private(set) var losses: [DeviceLoss] = []
    /// The microphone's place in ``losses`` while it is away.
    private var lostMicrophone: Int?
    /// Which camera delivers each feed's frames.
    private var identities: [Int: String?] = [:]
    /// Cameras that are away, with their places in ``losses``.
    private var lostCameras: [Int: Int] = [:]
    /// Since when nothing at all is there to be recorded.
    private var idleSince: MediaTime?
    /// Running time of the look before.
    private var lastLook: MediaTime?
    /// Of ``Sight/cameraMovies``.
    private var cameraMovies: [CameraMovieMonitor] = []

    /// Audio that waits is warned about at four seconds and ends the take at twenty, long before memory is short.
    static let waitingAudio: (warning: MediaTime, end: MediaTime) = (4 * .second, 20 * .second)
    /// What is handed over and not taken yet is no backlog.
    static let fewWaiting = 2
    /// How much of the movie is on its way when a limit is looked at: in the encoder, in the fragment under way, and until
    /// the next look.
    static let underWay: MediaTime = 1050 * .millisecond

    /// Where nothing is left to be recorded, a device has so long to come back.
    static let returning = 10 * MediaTime.second

    init(limits: RecordingLimits) { self.limits = limits }

    /// - Returns: the names of cameras that follow others, sentences for people, why the take ends, and the cameras whose own movies the
    ///   others must wait for no longer.
    mutating func look(
        at sight: Sight
    ) -> (switched: [String], warnings: [String], end: RecordingEndReason?, hanging: [Int]) {
        var warnings: [String] = []
        let switched = lookForOthers(sight)
        func tell(_ key: String, _ words: String) {
            if told.insert(key).inserted { warnings.append(words) }
        }
        warnings += lookAtMicrophone(sight)
        warnings += lookAtCameras(sight)
        warnings += lookForSilence(sight)
        if sight.waitingAudio > Self.waitingAudio.warning {
            tell(
                "backlog",
                "The disk or the encoder is too slow: \(Int(sight.waitingAudio.seconds)) seconds of audio are waiting.")
        }
        if sight.backlog.isBehind {
            tell(
                "behind",
                "The encoder is falling behind: \(sight.waitingFrames) of \(sight.waitingLimit) buffered frames are waiting for it"
                    + "\(sight.others.map { "; other programs are using \($0)" } ?? "").")
        } else if sight.waitingFrames <= sight.waitingLimit / 20 {
            told.remove("behind")
        }
        if let (span, wanted, limit) = sight.shortHistory {
            tell(
                "history",
                "Only the last \(span.tenths) of \(wanted.tenths) seconds are kept: more is larger than the "
                    + "\(limit / 1_000_000) MB of memory that are for it.")
        }
        if sight.droppedFrames > 0 {
            tell("frames", "The encoder cannot keep up: frames are being dropped.")
        }
        if sight.lostFrames > 0 {
            tell(
                "lost",
                "Frames from the camera are missing: the camera, its driver or its server lost them; they count as dropped."
            )
        }
        var hanging: [Int] = []
        for (index, movie) in sight.cameraMovies.enumerated() {
            if cameraMovies.count <= index { cameraMovies.append(CameraMovieMonitor()) }
            let (words, isHanging) = cameraMovies[index].look(at: movie, time: sight.time)
            warnings += words
            if isHanging { hanging.append(index) }
        }
        return (switched, warnings, end(sight), hanging)
    }

    /// The movie begins: what was lost before and is back is not lost in it, and what is not is told again.
    mutating func begin() { (losses, lostCameras, lostMicrophone) = ([], [:], nil) }

    /// All encoders with what waits for them, the movie's first. One of a camera's own movie that hangs and was given up has nothing to do.
    func encoders(_ sight: Sight) -> [(encoder: EncoderRelief.Sight, backlog: LoadRelief.Backlog)] {
        [(sight.encoder, sight.backlog)]
            + zip(sight.cameraMovies, cameraMovies).map {
                $1.isOver ? (EncoderRelief.Sight(), LoadRelief.Backlog()) : ($0.encoder, $0.backlog)
            }
    }

    /// One that comes back may be lost again. That it is back, or which one is there for it, it tells itself.
    private mutating func lookAtMicrophone(_ sight: Sight) -> [String] {
        guard let microphone = sight.microphone, sight.camera != nil else { return [] }
        guard let words = microphone.loss else {
            if let place = lostMicrophone {
                losses[place].end = sight.duration
                if microphone.name != losses[place].name { losses[place].successor = microphone.name }
            }
            lostMicrophone = nil
            return []
        }
        guard lostMicrophone == nil else { return [] }
        lostMicrophone = losses.count
        losses.append(DeviceLoss(name: microphone.name, kind: .microphone, words: words, time: sight.duration))
        return ["\(microphone.name) is lost (\(words)); the recording continues without sound."]
    }

    /// Another camera that is there for a lost one is its successor.
    private mutating func lookForOthers(_ sight: Sight) -> [String] {
        var switched: [String] = []
        for (index, camera) in sight.cameras.enumerated() {
            guard let before = identities.updateValue(camera.id, forKey: index), before != camera.id else { continue }
            switched.append(camera.name)
            guard let loss = lostCameras.removeValue(forKey: index) else { continue }
            (losses[loss].end, losses[loss].successor) = (sight.duration, camera.name)
        }
        return switched
    }

    private mutating func lookForSilence(_ sight: Sight) -> [String] {
        // Where this process itself stood still, frames are on their way.
        let wasAsleep = lastLook.map { sight.time - $0 > .second } ?? false
        lastLook = sight.time
        guard let camera = sight.camera, camera.loss == nil else { return [] }
        if let silence = camera.silence {
            guard !wasAsleep, told.insert("silent").inserted else { return [] }
            let words = silence > .second ? "\(silence.tenths) seconds" : "a second"
            return ["\(camera.name) has not delivered a frame for \(words); its last one stays until it does."]
        }
        return told.remove("silent") == nil ? [] : ["\(camera.name) delivers frames again."]
    }

    private mutating func lookAtCameras(_ sight: Sight) -> [String] {
        var warnings: [String] = []
        let areGone = sight.camera?.loss != nil
        for (index, camera) in sight.cameras.enumerated() {
            guard let words = camera.loss, !areGone || isHeld(sight) else {
                guard let loss = lostCameras.removeValue(forKey: index), camera.loss == nil else { continue }
                warnings.append("\(camera.name) is back and is being recorded again.")
                losses[loss].end = sight.duration
                continue
            }
            guard lostCameras[index] == nil else { continue }
            lostCameras[index] = losses.count
            let rest =
                !areGone
                ? "the recording continues with the other cameras"
                : sight.isIdle
                    ? "nothing else is being recorded, so the recording ends if it is not back in "
                        + "\(Self.returning.quotient(dividingBy: .second)) seconds"
                    : "the recording continues without frames until it is back"
            warnings.append("\(camera.name) is lost (\(words)); \(rest).")
            losses.append(DeviceLoss(name: camera.name, kind: .camera, words: words, time: sight.duration))
        }
        idleSince = areGone && sight.isIdle ? idleSince ?? sight.time : nil
        return warnings
    }

    /// Whether the take goes on although no camera delivers.
    func isHeld(_ sight: Sight) -> Bool {
        sight.camera?.loss != nil && sight.camera?.returns == true && sight.isEncoded && !limits.endsOnDeviceLoss
    }

    private func loss(_ sight: Sight) -> RecordingEndReason? {
        if let camera = sight.camera, let words = camera.loss {
            let isGivenUp = idleSince.map { sight.time - $0 >= Self.returning } ?? false
            if !isHeld(sight) || isGivenUp { return .deviceLost(camera.name, words) }
        }
        // Without a frame there is nothing left when the audio goes; with one the recording continues without sound.
        let others = limits.endsOnDeviceLoss ? sight.cameras + [sight.microphone].compactMap(\.self) : []
        for device in others + (sight.camera == nil ? [sight.microphone].compactMap(\.self) : []) {
            if let words = device.loss { return .deviceLost(device.name, words) }
        }
        return nil
    }

    private func end(_ sight: Sight) -> RecordingEndReason? {
        if let failure = sight.writingFailure { return .writingFailed(failure) }
        if let loss = sight.fileLoss { return .fileLost(loss) }
        // Without a camera the microphone is what the recording lives by.
        if (sight.camera ?? sight.microphone)?.state == .ended { return .stopped }
        if let loss = loss(sight) { return loss }
        if sight.isOverdue { return .maximumDurationReached }
        let coming = sight.duration > .zero ? Int64(Double(sight.bytes) * (Self.underWay / sight.duration)) : 0
        if let limit = limits.maxRecordedFileSize, sight.bytes + coming >= limit { return .maximumSizeReached }
        if let free = sight.freeBytes, free - coming < limits.minFreeDiskSpaceLimit { return .minimumFreeSpaceReached }
        return sight.waitingAudio > Self.waitingAudio.end
            ? .writingFailed("the disk is too slow for this recording") : nil
    }
}

extension RecordingMonitor.Sight {
    /// Each of them, whether there are several or one.
    fileprivate var cameras: [RecordingMonitor.Device] { composed.isEmpty ? [camera].compactMap(\.self) : composed }
    /// Whether nothing delivers anything.
    fileprivate var isIdle: Bool { microphone?.loss != nil || microphone == nil }

    var backlog: LoadRelief.Backlog { .init(waiting: waitingFrames, limit: waitingLimit) }

    /// How much others take of the cores, where that is half of them or more: "1.4 of 2 cores".
    fileprivate var others: String? {
        guard let cores, Double(cores.count) - cores.free >= Double(cores.count) / 2 else { return nil }
        let tenths = Int(((Double(cores.count) - cores.free) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) of \(cores.count == 1 ? "one core" : "\(cores.count) cores")"
    }
}

extension MediaTime {
    /// Seconds with one digit behind the point, rounded down.
    var tenths: String {
        let tenths = quotient(dividingBy: 100 * .millisecond)
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
