import Threads

/// Keeps a V4L2 camera's exposure, gain and white balance as they are, and gives them back to the camera in the end.
///
/// The controls are the device's own and outlive whoever sets them: a camera that is closed and opened again has them still, one that was
/// unplugged gets them anew, and what a killed program has set stays.
final class ExposureLock: Sendable {
    /// What a camera sees to by itself unless it is told not to.
    private struct Control: Sendable {
        /// For people.
        let name: String
        /// Whether the camera sees to it, and what it is when the camera does not.
        let automatic, value: UInt32
        /// Of `automatic`, for people to see to it.
        let manual: Int32

        static let all = [
            Control(
                name: "exposure", automatic: V4L2ID.exposureMode, value: V4L2ID.exposureTime,
                manual: V4L2ID.manualExposure),
            Control(name: "gain", automatic: V4L2ID.automaticGain, value: V4L2ID.gain, manual: 0),
            Control(
                name: "white balance", automatic: V4L2ID.automaticWhiteBalance, value: V4L2ID.whiteBalance, manual: 0),
        ]
    }

    /// A control that is held, at which value, and how it was before.
    private struct Held: Sendable {
        let control: Control
        var value: Int32?
        /// Of what lets the camera see to it; `nil` where it did not, and the value itself is given back.
        let before: Int32?
        /// At the beginning.
        let firstValue: Int32?
    }

    private let held = Locked<[Held]?>(nil)

    /// Whether the values of ``lock(_:)`` are known.
    var isLocked: Bool { held.withLock { $0 != nil } }

    /// Holds what the camera has chosen by now. Blocks as long as its driver does.
    ///
    /// - Parameters:
    ///   - path: of the device file; it may be in use.
    ///   - holdsPlainGain: whether a gain is held too that the camera does not see to by itself: many webcams have one.
    /// - Returns: what is held, for people; none where the camera has no such controls, or sees to none of it by itself.
    func lock(_ path: String, holdsPlainGain: Bool = false) -> [String] {
        let found = V4L2Device.open(path) { device in
            Control.all.compactMap { control -> Held? in
                let value = device.value(of: control.value)
                guard let before = device.value(of: control.automatic), before != control.manual else {
                    guard holdsPlainGain, control.value == V4L2ID.gain, let value else { return nil }
                    return Held(control: control, value: value, before: nil, firstValue: value)
                }
                guard device.set(control.automatic, to: control.manual) else { return nil }
                // Some cameras go to a value of their own when they are told.
                if let value { _ = device.set(control.value, to: value) }
                return Held(control: control, value: value, before: before, firstValue: value)
            }
        }
        // Where somebody has set the exposure by hand, the gain is theirs too.
        let hasExposure = found?.contains { $0.control.automatic == V4L2ID.exposureMode } == true
        let kept = (found ?? []).filter { hasExposure || $0.before != nil }
        held.withLock { $0 = kept }
        return kept.map(\.control.name)
    }

    /// What the gain is held at; `nil` where it is not.
    var gain: Int32? { held.withLock { $0?.first { $0.control.value == V4L2ID.gain }?.value } }

    /// Changes the exposure time or the gain, of those that are held. Blocks as long as its driver does.
    ///
    /// - Parameter next: of their controls with their values what is set next; nil leaves both.
    func change(_ path: String, _ next: (_ time: V4L2Control?, _ gain: V4L2Control?) -> V4L2Setting?) {
        let ids = held.withLock { Set(($0 ?? []).map(\.control.value)) }.intersection([
            V4L2ID.exposureTime, V4L2ID.gain,
        ])
        guard !ids.isEmpty else { return }
        let setting = V4L2Device.open(path) { device -> V4L2Setting? in
            let controls = device.controls.filter { ids.contains($0.id) && !$0.isReadOnly }
            let (time, gain) = (V4L2ID.exposureTime, V4L2ID.gain)
            guard let setting = next(controls.first { $0.id == time }, controls.first { $0.id == gain }),
                device.set(setting.id, to: setting.value)
            else { return nil }
            return setting
        }
        guard let setting = setting ?? nil else { return }
        held.withLock { held in
            guard let place = held?.firstIndex(where: { $0.control.value == setting.id }) else { return }
            held?[place].value = setting.value
        }
    }

    /// Sets the same again, of a camera that was away.
    func setAgain(_ path: String) {
        guard let held = held.withLock({ $0 }), !held.isEmpty else { return }
        _ = V4L2Device.open(path) { device in
            for one in held {
                if one.before != nil { _ = device.set(one.control.automatic, to: one.control.manual) }
                if let value = one.value { _ = device.set(one.control.value, to: value) }
            }
        }
    }

    /// Lets the camera see to it again, as before.
    func release(_ path: String) {
        let old = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        guard !old.isEmpty else { return }
        _ = V4L2Device.open(path) { device in
            for one in old {
                if let before = one.before {
                    _ = device.set(one.control.automatic, to: before)
                } else if let value = one.firstValue {
                    _ = device.set(one.control.value, to: value)
                }
            }
        }
    }
}
