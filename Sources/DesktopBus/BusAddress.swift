import Foundation

/// Which bus.
package enum BusAddress: Sendable, Hashable {
    /// The one of the person's desktop session.
    case session
    /// The machine's.
    case system
    /// By the D-Bus specification's address syntax, such as "unix:path=/run/bus".
    case at(String)

    /// Nil where there is none. Never starts a bus, as GIO's own search would on X11: nobody on it would listen.
    func text(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        switch self {
        case .at(let address): return address
        case .system:
            return environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/var/run/dbus/system_bus_socket"
        case .session:
            if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
                return address.hasPrefix("autolaunch:") ? nil : address
            }
            guard let folder = environment["XDG_RUNTIME_DIR"], access("\(folder)/bus", R_OK | W_OK) == 0 else {
                return nil
            }
            return "unix:path=\(folder)/bus"
        }
    }
}
