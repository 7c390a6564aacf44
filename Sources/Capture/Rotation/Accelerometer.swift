import DesktopBus
import Threads

/// The machine's accelerometer, as iio-sensor-proxy tells it on the system bus while somebody has claimed it, see
/// https://hadess.pages.freedesktop.org/iio-sensor-proxy/. Claimed again where the service begins anew.
final class Accelerometer: Sendable {
    private struct State {
        var orientation: DeviceOrientation?
        /// Whether there is one, once that is known.
        var isThere: Bool?
    }
    private let bus: BusConnection
    private let state = Locked(State())
    private let isKnown = AsyncSignal()
    private let isRead = AsyncSignal()
    private let listener: @Sendable (DeviceOrientation) -> Void

    /// The service looks at the sensor every 0.7 seconds, and answers with what it saw last until it has.
    private static let timeout = Duration.seconds(1)
    private static let service = "net.hadess.SensorProxy"
    private static let path = "/net/hadess/SensorProxy"

    /// Claims it. Never waits.
    ///
    /// - Parameter listener: called with each change, on the bus's thread.
    init(_ address: BusAddress = .system, listener: @escaping @Sendable (DeviceOrientation) -> Void) {
        (bus, self.listener) = (BusConnection(address), listener)
        bus.listen(interface: "org.freedesktop.DBus.Properties") { [weak self] signal, path, arguments in
            guard signal == "PropertiesChanged", path == Self.path, let self else { return }
            // Asked for by its name, as anybody may send a signal.
            read(isNew: arguments.contains { $0.hasOrientation })
        }
        bus.listen(interface: "org.freedesktop.DBus") { [weak self] signal, _, arguments in
            guard signal == "NameOwnerChanged", arguments.first?.string == Self.service,
                arguments.last?.string?.isEmpty == false
            else { return }
            self?.claim()
        }
        claim()
    }

    /// How the machine is held; `nil` while it lies flat, or is not known.
    var orientation: DeviceOrientation? { state.withLock { $0.orientation } }

    /// Waits until the orientation has been measured, a second and a half at most, and five for a bus that does not answer.
    ///
    /// - Returns: whether there is an accelerometer.
    func isMeasured() async -> Bool {
        guard await isKnown.wait(within: .seconds(5)), state.withLock({ $0.isThere }) == true else { return false }
        _ = await isRead.wait(within: Self.timeout)
        return true
    }

    private func claim() {
        let method = BusMethod(
            service: Self.service, path: Self.path, interface: Self.service, name: "ClaimAccelerometer")
        bus.call(method) { [weak self] answer in
            guard let self else { return }
            guard case .success = answer else { return know(false) }
            get("HasAccelerometer") { [weak self] in self?.know($0 == .bool(true)) }
            read(isNew: false)
        }
    }

    private func know(_ isThere: Bool) {
        state.withLock { $0.isThere = isThere }
        isKnown.fire()
    }

    private func read(isNew: Bool) {
        get("AccelerometerOrientation") { [weak self] value in
            guard let self else { return }
            // "undefined" is a machine that lies flat: it is used as it was held before.
            if let orientation = value?.string.flatMap({ DeviceOrientation(rawValue: $0) }) {
                let isOther = state.withLock { state in
                    defer { state.orientation = orientation }
                    return state.orientation != orientation
                }
                if isOther { listener(orientation) }
            }
            if isNew { isRead.fire() }
        }
    }

    private func get(_ property: String, _ answer: @escaping @Sendable (BusValue?) -> Void) {
        let method = BusMethod(
            service: Self.service, path: Self.path, interface: "org.freedesktop.DBus.Properties", name: "Get")
        bus.call(method, [.string(Self.service), .string(property)]) { answer(try? $0.get().values.first) }
    }
}

extension BusValue {
    fileprivate var hasOrientation: Bool {
        if case .properties(let values) = self { values["AccelerometerOrientation"] != nil } else { false }
    }
}
