import Errors
import Foundation
import Logging
import MediaTypes
import Threads

/// The V4L2 controls of one camera that runs: they are set while it does, again where it was away, and in the end are as they were.
///
/// The controls are the device's own and outlive whoever sets them; what a killed program has set stays. A driver may block for as long
/// as it likes, so it has threads of its own, and a limit of time.
package final class CameraControls: Sendable {
    private struct State {
        /// The camera's, for messages.
        var name: String
        /// The device file; another one after the camera was plugged in again.
        var path: String?
        var changes = ControlChanges()
        /// Which movement is the latest; an older one ends where it is.
        var ramp = 0
    }

    private let state: Locked<State>
    /// Where the camera has none.
    let zoom = DigitalZoom()
    private let notices = Listeners<String>()
    private static let timeout = Duration.seconds(4)

    init(of name: String, path: String?) {
        state = Locked(State(name: name, path: path))
    }

    /// The controls of a V4L2 camera, or of one that PipeWire opens through V4L2; none where there are none, or none may be read.
    package static func controls(at path: String) async -> [DeviceControl] {
        await onOwnThread("rushes-controls", orAfter: timeout, otherwise: []) {
            V4L2Device.open(path) { DeviceControl.list(of: $0.controls) } ?? []
        }
    }

    /// Calls the closure with what there is to know of them later, in whole sentences.
    package func listen(_ body: @escaping @Sendable (String) -> Void) { _ = notices.add(body) }

    /// Sets controls; all are looked at before the first is set.
    ///
    /// - Returns: what the camera really took, for people: "HD Webcam: exposure 10 ms." Drivers round.
    /// - Throws: ``RushesError`` where there is no such control, it cannot be that, or the driver refuses.
    package func set(_ requests: [DeviceControlRequest]) async throws -> String {
        let name = state.withLock { $0.name }
        var own = requests
        var digital: (factor: Double, duration: MediaTime)?
        if let request = requests.last(where: { $0.name == "zoom" }), await !hasZoom {
            digital = (try zoom.factor(request, of: name), request.duration)
            own.removeAll { $0.name == "zoom" }
        }
        var sentences: [String] = []
        if !own.isEmpty {
            let requests = own
            let result = await onDevice(otherwise: .failure(silent)) { state in Self.set(requests, &state) }
            let (words, ramps) = try result.get()
            for ramp in ramps { move(ramp.ramp, number: ramp.number) }
            sentences.append(words)
        }
        if let digital { sentences.append("\(name): \(zoom.move(to: digital.factor, over: digital.duration)).") }
        return sentences.joined(separator: " ")
    }

    /// Whether the camera's lens or its driver zooms.
    private var hasZoom: Bool {
        get async {
            await onDevice(otherwise: false) { state in
                let controls = state.path.flatMap { V4L2Device.open($0) { DeviceControl.list(of: $0.controls) } }
                return controls?.contains { $0.name == "zoom" && !$0.isReadOnly } == true
            }
        }
    }

    /// Sets the same again, of a camera that was away.
    ///
    /// - Parameter path: where it is now.
    func setAgain(at path: String?) async {
        let words = await onDevice(otherwise: silent.description) { state -> String? in
            state.path = path
            guard !state.changes.isEmpty else { return nil }
            let isSet = state.path.flatMap { path in
                V4L2Device.open(path) { device in state.changes.again.allSatisfy { device.set($0.id, to: $0.value) } }
            }
            return isSet == true
                ? "\(state.name) has its controls set as before again."
                : "\(state.name) did not accept all of its controls again."
        }
        if let words { notices.send(words) }
    }

    /// Makes all controls what they were before the first was set.
    ///
    /// - Returns: what keeps the camera from it; `nil` where nothing does, or nothing was set.
    package func restore() async -> String? {
        zoom.reset()
        return await onDevice(otherwise: silent.description) { Self.restore(&$0) }
    }

    /// Goes on with another camera; the one before is as it was.
    func follow(_ name: String, at path: String?) async {
        zoom.reset()
        let words = await onDevice(otherwise: silent.description) { state -> String? in
            let words = Self.restore(&state)
            (state.name, state.path) = (name, path)
            return words
        }
        if let words { notices.send(words) }
    }

    private var silent: RushesError {
        // The name is behind the lock that the driver holds up.
        RushesError(
            .deviceSilent,
            "The camera's driver has not answered for \(Self.timeout.secondsText) seconds; its controls may not be set."
        )
    }

    // MARK: On a thread that may block

    private func onDevice<Value: Sendable>(
        otherwise value: Value, _ body: @escaping @Sendable (inout State) -> Value
    ) async -> Value {
        await onOwnThread("rushes-controls", orAfter: Self.timeout, otherwise: value) { [state] in
            state.withLock { body(&$0) }
        }
    }

    private static func restore(_ state: inout State) -> String? {
        state.ramp += 1
        guard !state.changes.isEmpty else { return nil }
        defer { state.changes = ControlChanges() }
        let isSet = state.path.flatMap { path in
            V4L2Device.open(path) { device in
                // Each of them, whatever becomes of another.
                state.changes.restoring.filter { !device.set($0.id, to: $0.value) }.isEmpty
            }
        }
        return isSet == true ? nil : "Not all controls of \(state.name) could be set back to what they were before."
    }

    private typealias Taken = (words: String, ramps: [(ramp: ControlRamp, number: Int)])

    private static func set(_ requests: [DeviceControlRequest], _ state: inout State) -> Result<Taken, RushesError> {
        let name = state.name
        guard let path = state.path else { return .failure(.noControls(name)) }
        var plan = ControlPlan()
        let result = V4L2Device.open(path) { device -> Result<Taken, RushesError> in
            let controls = DeviceControl.list(of: device.controls)
            do throws(RushesError) {
                plan = try ControlPlan(requests, controls, camera: name)
            } catch { return .failure(error) }
            for setting in plan.settings {
                let before = device.value(of: setting.id)
                guard device.set(setting.id, to: setting.value) else {
                    let reason = String(cString: strerror(errno))
                    return .failure(.refusedControl(plan.name(of: setting, among: controls), of: name, reason))
                }
                state.changes.note(setting, before: before)
            }
            for ramp in plan.ramps {
                state.changes.note(V4L2Setting(id: ramp.control.id, value: ramp.to), before: ramp.from)
            }
            state.ramp += plan.movesZoom ? 1 : 0
            let number = state.ramp
            let now = DeviceControl.list(of: device.controls)
            return .success(
                ("\(name): \(plan.words(now).joined(separator: ", ")).", plan.ramps.map { ($0, number) }))
        }
        return result ?? .failure(.unreachableControls(name))
    }

    /// Goes there on a thread of its own, until another movement begins or the camera is away.
    private func move(_ ramp: ControlRamp, number: Int) {
        let state = state
        OwnThread.run("rushes-zoom") {
            let begin = ContinuousClock.now
            var isMoving = true
            while isMoving {
                let time = MediaTime(ContinuousClock.now - begin)
                let isSet = state.withLock { state -> Bool in
                    guard state.ramp == number, let path = state.path else { return false }
                    return V4L2Device.open(path) { $0.set(ramp.control.id, to: ramp.value(at: time)) } ?? false
                }
                isMoving = isSet && time < ramp.duration
                OwnThread.sleep(Duration(ControlRamp.interval))
            }
        }
    }
}
