import MediaTypes

/// Decides whether what is seen of a running take ends it, or is worth a warning. Each warning is given once; that the encoder
/// falls behind again after it has caught up.
struct RecordingMonitor: Sendable {
    struct Device: Sendable {
        var name: String
        var state = FeedState.running

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
        /// Whether the take's end has passed and a track still has not reached it.
        var isOverdue = false
    }

    let limits: RecordingLimits
    private var told: Set<String> = []
    /// Devices that were lost while the take went on.
    private(set) var losses: [DeviceLoss] = []
    private var isMicrophoneLost = false
    /// Those of ``Sight/composed`` that are away, with their places in ``losses``.
    private var lostCameras: [Int: Int] = [:]
    /// Of ``Sight/cameraMovies``.
    private var cameraMovies: [CameraMovieMonitor] = []

    /// Audio that waits is warned about at four seconds and ends the take at twenty, long before memory is short.
    static let waitingAudio: (warning: MediaTime, end: MediaTime) = (4 * .second, 20 * .second)
    /// What is handed over and not taken yet is no backlog.
    static let fewWaiting = 2
    /// How much of the movie is on its way when a limit is looked at: in the encoder, in the fragment under way, and until
    /// the next look.
    static let underWay: MediaTime = 1050 * .millisecond

    init(limits: RecordingLimits) { self.limits = limits }

    /// - Returns: sentences for people, why the take ends, and the cameras whose own movies the others must wait for no longer.
    mutating func look(at sight: Sight) -> (warnings: [String], end: RecordingEndReason?, hanging: [Int]) {
        var warnings: [String] = []
        func tell(_ key: String, _ words: String) {
            if told.insert(key).inserted { warnings.append(words) }
        }
        // One that comes back may be lost again.
        if let lost = sight.microphone, let words = lost.loss, sight.camera != nil {
            if !isMicrophoneLost {
                warnings.append("\(lost.name) is lost (\(words)); the take goes on in silence.")
                losses.append(DeviceLoss(name: lost.name, kind: .microphone, words: words, time: sight.duration))
            }
            isMicrophoneLost = true
        } else {
            isMicrophoneLost = false
        }
        for (index, camera) in sight.composed.enumerated() {
            guard let words = camera.loss, sight.camera?.state.isOver == false else {
                guard let loss = lostCameras.removeValue(forKey: index), camera.loss == nil else { continue }
                warnings.append("\(camera.name) is back and recorded again.")
                losses[loss].end = sight.duration
                continue
            }
            guard lostCameras[index] == nil else { continue }
            lostCameras[index] = losses.count
            warnings.append("\(camera.name) is lost (\(words)); the take goes on with the other cameras.")
            losses.append(DeviceLoss(name: camera.name, kind: .camera, words: words, time: sight.duration))
        }
        if sight.waitingAudio > Self.waitingAudio.warning {
            tell(
                "backlog",
                "The disk or the encoder is too slow: \(Int(sight.waitingAudio.seconds)) seconds of audio wait.")
        }
        if sight.waitingFrames > max(Self.fewWaiting, sight.waitingLimit / 3) {
            tell(
                "behind",
                "The encoder falls behind: \(sight.waitingFrames) frames wait for it, \(sight.waitingLimit) can"
                    + "\(sight.others.map { "; other programs take \($0)" } ?? "").")
        } else if sight.waitingFrames <= sight.waitingLimit / 20 {
            told.remove("behind")
        }
        if sight.droppedFrames > 0 {
            tell("frames", "The encoder does not keep up: frames are dropped and counted.")
        }
        if sight.lostFrames > 0 {
            tell(
                "lost",
                "Frames of the camera are missing: it, its driver or its server lost them; they are counted as dropped."
            )
        }
        var hanging: [Int] = []
        for (index, movie) in sight.cameraMovies.enumerated() {
            if cameraMovies.count <= index { cameraMovies.append(CameraMovieMonitor()) }
            let (words, isHanging) = cameraMovies[index].look(at: movie, time: sight.time)
            warnings += words
            if isHanging { hanging.append(index) }
        }
        return (warnings, end(sight), hanging)
    }

    private func end(_ sight: Sight) -> RecordingEndReason? {
        if let failure = sight.writingFailure { return .writingFailed(failure) }
        if let loss = sight.fileLoss { return .fileLost(loss) }
        // Without a camera the microphone is what the recording lives by.
        if (sight.camera ?? sight.microphone)?.state == .ended { return .stopped }
        if let camera = sight.camera, let words = camera.loss { return .deviceLost(camera.name, words) }
        // Without a frame there is nothing left when the audio goes; with one the take goes on in silence.
        if sight.camera == nil, let microphone = sight.microphone, let words = microphone.loss {
            return .deviceLost(microphone.name, words)
        }
        if sight.isOverdue { return .maximumDurationReached }
        let coming = sight.duration > .zero ? Int64(Double(sight.bytes) * (Self.underWay / sight.duration)) : 0
        if let limit = limits.maxRecordedFileSize, sight.bytes + coming >= limit { return .maximumSizeReached }
        if let free = sight.freeBytes, free - coming < limits.minFreeDiskSpaceLimit { return .minimumFreeSpaceReached }
        return sight.waitingAudio > Self.waitingAudio.end ? .writingFailed("the disk is too slow for this take") : nil
    }
}

extension RecordingMonitor.Sight {
    /// How much others take of the cores, where that is half of them or more: "1.4 of 2 cores".
    fileprivate var others: String? {
        guard let cores, Double(cores.count) - cores.free >= Double(cores.count) / 2 else { return nil }
        let tenths = Int(((Double(cores.count) - cores.free) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) of \(cores.count == 1 ? "one core" : "\(cores.count) cores")"
    }
}
