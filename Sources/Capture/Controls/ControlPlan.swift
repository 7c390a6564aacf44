import Errors
import Foundation
import MediaTypes

/// What a driver is told for some requests: all of them can be done, or none is. Pure.
struct ControlPlan: Sendable, Equatable {
    private(set) var settings: [V4L2Setting] = []
    private(set) var ramps: [ControlRamp] = []
    private var names: [String] = []

    /// None.
    init() {}

    /// - Parameters:
    ///   - controls: what the camera has, as they are now.
    ///   - camera: its name, for messages.
    /// - Throws: ``RushesError`` where there is no such control, or it cannot be that; it says what can.
    init(
        _ requests: [DeviceControlRequest], _ controls: [DeviceControl], camera: String
    ) throws(RushesError) {
        for request in requests {
            guard let control = controls.first(where: { $0.name == request.name }) else {
                throw .unknownControl(request.name, of: camera, controls.filter { !$0.isReadOnly }.map(\.name))
            }
            guard !control.isReadOnly else {
                throw RushesError(.invalidSettings, on: camera, "The \(control.name) of \(camera) can only be read.")
            }
            guard let settings = control.settings(for: request.value) else {
                throw RushesError(
                    .invalidSettings, on: camera,
                    "The \(control.name) of \(camera) is \(control.choices), not '\(request.value)'.")
            }
            names.append(control.name)
            guard request.duration > .zero else {
                self.settings += settings
                continue
            }
            guard control.name == "zoom", let from = control.control.value, let target = settings.last else {
                throw RushesError(
                    .invalidSettings, on: camera, "Only zoom moves over a time; leave 'over' out for \(control.name).")
            }
            ramps.append(
                ControlRamp(control: control.control, from: from, to: target.value, duration: request.duration))
        }
    }

    /// Whether a movement that is under way ends.
    var movesZoom: Bool { names.contains("zoom") }

    /// What was taken, for people, once the driver has been told.
    ///
    /// - Parameter controls: as they are then.
    func words(_ controls: [DeviceControl]) -> [String] {
        names.compactMap { name in
            guard let control = controls.first(where: { $0.name == name }) else { return nil }
            if let ramp = ramps.first(where: { $0.control.id == control.control.id }) {
                return
                    "\(name) moves to \(control.words(of: ramp.to)) over \(DeviceControl.words(ramp.duration.seconds, .seconds))"
            }
            return "\(name) \(control.value)"
        }
    }

    func name(of setting: V4L2Setting, among controls: [DeviceControl]) -> String {
        controls.first { $0.control.id == setting.id || $0.automatic?.control.id == setting.id }?.name ?? "control"
    }
}

extension RushesError {
    static func noControls(_ camera: String) -> Self {
        Self(
            .invalidSettings, on: camera,
            "\(camera) has no controls but zoom: only V4L2 cameras have, of their own or through PipeWire.")
    }

    static func unreachableControls(_ camera: String) -> Self {
        Self(.deviceFailed, on: camera, "\(camera) cannot be opened for its controls just now; is it unplugged?")
    }

    static func unknownControl(_ name: String, of camera: String, _ names: [String]) -> Self {
        guard let last = names.last else { return noControls(camera) }
        let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
        if let meant = Spelling.nearest(name, among: names) {
            return Self(
                .invalidSettings, on: camera, "\(camera) has no control '\(name)'; did you mean '\(meant)'?")
        }
        return Self(.invalidSettings, on: camera, "\(camera) has no control '\(name)'; it has \(list).")
    }

    static func refusedControl(_ name: String, of camera: String, _ reason: String) -> Self {
        Self(.deviceFailed, on: camera, "\(camera) refuses its \(name): \(reason).")
    }
}

/// The way of a zoom to another one: each step changes the field of view by the same factor.
struct ControlRamp: Sendable, Equatable {
    let control: V4L2Control
    let from, to: Int32
    let duration: MediaTime

    /// How often the lens is told where to be.
    static let interval = 40 * MediaTime.millisecond

    /// What the driver is told so long after the beginning.
    func value(at time: MediaTime) -> Int32 {
        let place = duration > .zero ? min(max(time / duration, 0), 1) : 1
        guard place < 1 else { return to }
        let (low, high) = (Double(from), Double(to))
        // A zoom that begins at zero has no factor.
        guard low > 0, high > 0 else { return control.nearest(to: low + (high - low) * place) }
        return control.nearest(to: ZoomPath.between(low, high, at: place))
    }
}
