import MediaTypes

/// Decides whether what is seen of a running take ends it, or is worth a warning. Each warning is given once; that the encoder
/// falls behind again after it has caught up.
struct RecordingMonitor: Sendable {
    let limits: RecordingLimits
    private var told: Set<String> = []
    /// Devices that were lost while the take went on or its start was waited for, by the encoders' time.
    private(set) var losses: [DeviceLoss] = []
    /// Microphones and cameras that were lost before the movie began, and are to be told of again.
    private var toldBefore: (microphones: Set<Int>, cameras: Set<Int>) = ([], [])
    /// Microphones that are away, with their places in ``losses``.
    private var lostMicrophones: [Int: Int] = [:]
    /// Which camera delivers each feed's frames.
    private var identities: [Int: String?] = [:]
    /// Cameras that are away, with their places in ``losses``.
    private var lostCameras: [Int: Int] = [:]
    /// Since when nothing at all is there to be recorded.
    private(set) var idleSince: MediaTime?
    /// Running time of the look before.
    private var lastLook: MediaTime?
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

    /// Where nothing is left to be recorded, a device has so long to come back.
    static let returning = 10 * MediaTime.second

    /// An encoder that hands out nothing for so long, with frames waiting and a disk that takes what it gets, hangs.
    static let hanging = 10 * MediaTime.second
    /// When the encoder or the file had other numbers.
    private var lastEncoded: (frames: Int, bytes: Int64, time: MediaTime)?

    /// - Parameter cameras: the identities of those that are recorded at the beginning, where they are known.
    init(limits: RecordingLimits, cameras: [String?] = []) {
        self.limits = limits
        identities = Dictionary(uniqueKeysWithValues: cameras.enumerated().map { ($0.offset, $0.element) })
    }

    /// - Returns: the names of cameras that follow others, sentences for people, why the take ends, and the cameras whose own movies the
    ///   others must wait for no longer.
    mutating func evaluate(
        _ snapshot: Snapshot
    ) -> (switched: [String], warnings: [String], end: RecordingEndReason?, hanging: [Int]) {
        var warnings: [String] = []
        let switched = evaluateOthers(snapshot)
        func tell(_ key: String, _ words: String) {
            if told.insert(key).inserted { warnings.append(words) }
        }
        let wasAsleep = lastLook.map { snapshot.time - $0 > .second } ?? false
        lastLook = snapshot.time
        forgivenAudio = wasAsleep ? snapshot.waitingAudio : min(forgivenAudio, snapshot.waitingAudio)
        let waitingAudio = snapshot.waitingAudio - forgivenAudio
        // A disk that takes its time holds up the encoder too, and that is told in other words.
        let isMoving = snapshot.encodedFrames != lastEncoded?.frames || snapshot.bytes != lastEncoded?.bytes
        if wasAsleep || isMoving || snapshot.waitingFrames <= Self.fewWaiting || snapshot.pressure.diskDelay >= .second
        {
            lastEncoded = (snapshot.encodedFrames, snapshot.bytes, snapshot.time)
        }
        warnings += evaluateMicrophones(snapshot)
        warnings += evaluateCameras(snapshot)
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
        } else if snapshot.waitingFrames <= snapshot.waitingLimit / 20 {
            told.remove("behind")
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
        if snapshot.lostFrames > 0 {
            tell("lost", Self.lostFrames("the camera"))
        }
        for (index, camera) in snapshot.composed.enumerated() where camera.lostFrames > 0 {
            tell("lost \(index)", Self.lostFrames(camera.name))
        }
        var hanging: [Int] = []
        for (index, movie) in snapshot.cameraMovies.enumerated() {
            if cameraMovies.count <= index { cameraMovies.append(CameraMovieMonitor()) }
            let (words, isHanging) = cameraMovies[index].evaluate(movie, time: snapshot.time)
            warnings += words
            if isHanging { hanging.append(index) }
        }
        return (switched, warnings, end(snapshot, waitingAudio: waitingAudio), hanging)
    }

    /// The movie begins: what is still lost is told again.
    mutating func begin() { toldBefore = (Set(lostMicrophones.keys), Set(lostCameras.keys)) }

    /// What the movie lacks of its devices, by its own time: of what lies before it nothing.
    ///
    /// - Parameter begin: where it begins, by the encoders' time; it may lie before the moment at which its start was asked for.
    func losses(from begin: MediaTime) -> [DeviceLoss] {
        losses.filter { $0.end.map { $0 > begin } ?? true }.map { loss in
            var loss = loss
            (loss.time, loss.end) = (max(.zero, loss.time - begin), loss.end.map { $0 - begin })
            return loss
        }
    }

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

    /// One that comes back may be lost again. That it is back, or which one is there for it, it tells itself.
    private mutating func evaluateMicrophones(_ snapshot: Snapshot) -> [String] {
        // Where nothing else is recorded and it cannot come back, the loss of the last one is the end.
        if snapshot.camera == nil, snapshot.isIdle, !snapshot.isWaitingForMicrophone { return [] }
        var warnings: [String] = []
        for (index, microphone) in snapshot.microphones.enumerated() {
            guard let words = microphone.loss else {
                toldBefore.microphones.remove(index)
                guard let place = lostMicrophones.removeValue(forKey: index) else { continue }
                losses[place].end = snapshot.encoded
                if microphone.name != losses[place].name { losses[place].successor = microphone.name }
                continue
            }
            let isToldAgain = toldBefore.microphones.remove(index) != nil
            guard lostMicrophones[index] == nil || isToldAgain else { continue }
            if !isToldAgain {
                lostMicrophones[index] = losses.count
                losses.append(
                    DeviceLoss(name: microphone.name, kind: .microphone, words: words, time: snapshot.encoded))
            }
            let rest =
                snapshot.camera == nil && snapshot.isIdle
                ? Self.endsSoon
                : snapshot.isIdle
                    ? "the recording continues without sound"
                    : "silence is recorded in its place, and the other microphone\(snapshot.microphones.count > 2 ? "s" : "") as before"
            warnings.append("\(microphone.name) is lost (\(words)); \(rest).")
        }
        return warnings
    }

    /// Another camera that is there for a lost one is its successor.
    private mutating func evaluateOthers(_ snapshot: Snapshot) -> [String] {
        var switched: [String] = []
        for (index, camera) in snapshot.cameras.enumerated() {
            guard let before = identities.updateValue(camera.id, forKey: index), before != camera.id else { continue }
            switched.append(camera.name)
            toldBefore.cameras.remove(index)
            guard let loss = lostCameras.removeValue(forKey: index) else { continue }
            (losses[loss].end, losses[loss].successor) = (snapshot.encoded, camera.name)
        }
        return switched
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

    private mutating func evaluateCameras(_ snapshot: Snapshot) -> [String] {
        var warnings: [String] = []
        let areGone = snapshot.camera?.loss != nil
        for (index, camera) in snapshot.cameras.enumerated() {
            guard let words = camera.loss, !areGone || isHeld(snapshot) else {
                toldBefore.cameras.remove(index)
                guard let loss = lostCameras.removeValue(forKey: index), camera.loss == nil else { continue }
                warnings.append("\(camera.name) is back and is being recorded again.")
                losses[loss].end = snapshot.encoded
                continue
            }
            let isToldAgain = toldBefore.cameras.remove(index) != nil
            guard lostCameras[index] == nil || isToldAgain else { continue }
            let rest =
                !areGone
                ? "the recording continues with the other cameras"
                : snapshot.isIdle
                    ? Self.endsSoon
                    : "the recording continues without frames until it is back"
            warnings.append("\(camera.name) is lost (\(words)); \(rest).")
            if isToldAgain { continue }
            lostCameras[index] = losses.count
            losses.append(DeviceLoss(name: camera.name, kind: .camera, words: words, time: snapshot.encoded))
        }
        let isNothingLeft = snapshot.isIdle && (areGone || snapshot.camera == nil)
        idleSince = isNothingLeft ? idleSince ?? snapshot.time : nil
        return warnings
    }

    /// When the last device was lost, where that is why the recording ends.
    func lastLoss(_ reason: RecordingEndReason) -> MediaTime? {
        guard case .deviceLost = reason else { return nil }
        return idleSince
    }

    private static let endsSoon =
        "nothing else is being recorded, so the recording ends if it is not back in "
        + "\(returning.quotient(dividingBy: .second)) seconds"

    /// Whether a camera is gone and that was told; what does not come without a word counts as dropped.
    var hasToldOfLostCamera: Bool { !lostCameras.isEmpty }

    /// Whether the take goes on although no camera delivers.
    func isHeld(_ snapshot: Snapshot) -> Bool {
        snapshot.camera?.loss != nil && snapshot.camera?.returns == true && snapshot.isEncoded
            && !limits.endsOnDeviceLoss
    }

    private func loss(_ snapshot: Snapshot) -> RecordingEndReason? {
        if let camera = snapshot.camera, let words = camera.loss {
            let isGivenUp = idleSince.map { snapshot.time - $0 >= Self.returning } ?? false
            if !isHeld(snapshot) || isGivenUp { return .deviceLost(camera.name, words) }
        }
        // Without a frame there is nothing left when the audio goes; with one the recording continues without sound.
        // It may come back, as a headset that changes its profile does, or a server that is started again.
        let isGivenUp = idleSince.map { snapshot.time - $0 >= Self.returning } ?? false
        let isOver = snapshot.camera == nil && (!snapshot.isWaitingForMicrophone || isGivenUp)
        let devices =
            limits.endsOnDeviceLoss ? snapshot.cameras + snapshot.microphones : isOver ? lastLost(snapshot) : []
        for device in devices {
            if let words = device.loss { return .deviceLost(device.name, words) }
        }
        return nil
    }

    /// Of microphones that are all away, those that were told of last.
    private func lastLost(_ snapshot: Snapshot) -> [Device] {
        guard snapshot.isIdle else { return [] }
        let new = snapshot.microphones.indices.filter { lostMicrophones[$0] == nil }
        return new.isEmpty ? snapshot.microphones : new.map { snapshot.microphones[$0] }
    }

    private func end(_ snapshot: Snapshot, waitingAudio: MediaTime) -> RecordingEndReason? {
        if let failure = snapshot.writingFailure { return .writingFailed(failure) }
        if let loss = snapshot.fileLoss { return .fileLost(loss) }
        // Without a camera the microphones are what the recording lives by.
        let life = snapshot.camera.map { [$0] } ?? snapshot.microphones
        if !life.isEmpty, life.allSatisfy({ $0.state == .ended }) { return .stopped }
        if let loss = loss(snapshot) { return loss }
        if let last = lastEncoded?.time, snapshot.time - last > Self.hanging {
            return .writingFailed(
                "the encoder has stopped: it has encoded nothing for \(Self.hanging.quotient(dividingBy: .second)) seconds"
            )
        }
        if snapshot.isOverdue { return .maximumDurationReached }
        let coming = snapshot.duration > .zero ? Int64(Double(snapshot.bytes) * (Self.underWay / snapshot.duration)) : 0
        if let limit = limits.maxRecordedFileSize, snapshot.bytes + coming >= limit { return .maximumSizeReached }
        if let free = snapshot.freeBytes, free - coming < limits.minFreeDiskSpaceLimit {
            return .minimumFreeSpaceReached
        }
        return waitingAudio > Self.waitingAudio.end
            ? .writingFailed("the disk is too slow for this recording") : nil
    }
}

extension RecordingMonitor.Snapshot {
    /// Each of them, whether there are several or one.
    fileprivate var cameras: [RecordingMonitor.Device] { composed.isEmpty ? [camera].compactMap(\.self) : composed }
    /// Whether one of the microphones that are all away may come back.
    fileprivate var isWaitingForMicrophone: Bool { microphones.contains { $0.loss != nil && $0.returns } }

    /// Whether there is no sound.
    fileprivate var isIdle: Bool { microphones.allSatisfy { $0.loss != nil } }
}

extension MediaTime {
    /// Seconds with one digit behind the point, rounded down.
    var tenths: String {
        let tenths = quotient(dividingBy: 100 * .millisecond)
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
