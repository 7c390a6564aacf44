import MediaTypes

/// Notices cameras and microphones that are lost, come back or are followed by others while a recording goes on: what is told of each, what
/// the movie lacks of it, and whether the recording ends. Pure.
struct DeviceMonitor: Sendable {
    typealias Snapshot = RecordingMonitor.Snapshot

    private let endsOnLoss: Bool
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

    /// Where nothing is left to be recorded, a device has so long to come back.
    static let returning = 10 * MediaTime.second

    /// - Parameters:
    ///   - endsOnLoss: whether the recording ends with the first device that is lost.
    ///   - cameras: the identities of those that are recorded at the beginning, where they are known.
    init(endsOnLoss: Bool, cameras: [String?]) {
        self.endsOnLoss = endsOnLoss
        identities = Dictionary(uniqueKeysWithValues: cameras.enumerated().map { ($0.offset, $0.element) })
    }

    /// - Returns: the names of cameras that follow others, and sentences for people.
    mutating func evaluate(_ snapshot: Snapshot) -> (switched: [String], warnings: [String]) {
        let switched = evaluateOthers(snapshot)
        return (switched, evaluateMicrophones(snapshot) + evaluateCameras(snapshot))
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
    private func isHeld(_ snapshot: Snapshot) -> Bool {
        snapshot.camera?.loss != nil && snapshot.camera?.returns == true && snapshot.isEncoded
            && !endsOnLoss
    }

    /// Why the recording ends, where a device is lost with which it does.
    func end(_ snapshot: Snapshot) -> RecordingEndReason? {
        let isGivenUp = idleSince.map { snapshot.time - $0 >= Self.returning } ?? false
        if let camera = snapshot.camera, let words = camera.loss, !isHeld(snapshot) || isGivenUp {
            return .deviceLost(camera.name, words)
        }
        // Without a frame there is nothing left when the audio goes; with one the recording continues without sound.
        // It may come back, as a headset that changes its profile does, or a server that is started again.
        let isOver = snapshot.camera == nil && (!snapshot.isWaitingForMicrophone || isGivenUp)
        let devices =
            endsOnLoss ? snapshot.cameras + snapshot.microphones : isOver ? lastLost(snapshot) : []
        for device in devices {
            if let words = device.loss { return .deviceLost(device.name, words) }
        }
        return nil
    }

    /// Of microphones that are all away, those that were told of last.
    private func lastLost(_ snapshot: Snapshot) -> [RecordingMonitor.Device] {
        guard snapshot.isIdle else { return [] }
        let new = snapshot.microphones.indices.filter { lostMicrophones[$0] == nil }
        return new.isEmpty ? snapshot.microphones : new.map { snapshot.microphones[$0] }
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
