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
        let value: Int32?
        let before: Int32
    }

    private let held = Locked<[Held]?>(nil)

    /// Whether the values of ``lock(_:)`` are known.
    var isLocked: Bool { held.withLock { $0 != nil } }

    /// Holds what the camera has chosen by now. Blocks as long as its driver does.
    ///
    /// - Parameter path: of the device file; it may be in use.
    /// - Returns: what is held, for people; none where the camera has no such controls, or sees to none of it by itself.
    func lock(_ path: String) -> [String] {
        let found = V4L2Device.open(path) { device in
            Control.all.compactMap { control -> Held? in
                guard let before = device.value(of: control.automatic), before != control.manual else { return nil }
                let value = device.value(of: control.value)
                guard device.set(control.automatic, to: control.manual) else { return nil }
                // Some cameras go to a value of their own when they are told.
                if let value { _ = device.set(control.value, to: value) }
                return Held(control: control, value: value, before: before)
            }
        }
        held.withLock { $0 = found ?? [] }
        return found?.map(\.control.name) ?? []
    }

    /// Sets the same again, of a camera that was away.
    func setAgain(_ path: String) {
        guard let held = held.withLock({ $0 }), !held.isEmpty else { return }
        _ = V4L2Device.open(path) { device in
            for one in held {
                _ = device.set(one.control.automatic, to: one.control.manual)
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
        _ = V4L2Device.open(path) { device in for one in old { _ = device.set(one.control.automatic, to: one.before) } }
    }
}
