import CGIO

extension BusConnection {
    /// Tells everyone on the bus.
    package func emit(path: String, interface: String, signal: String, _ arguments: [BusValue]) {
        thread.run { [link] in
            guard let connection = link.connection, let tuple = BusValue.tuple(arguments) else { return }
            g_dbus_connection_emit_signal(connection, nil, path, interface, signal, tuple, nil)
        }
    }

    /// Calls back, on the connection's thread, for each signal of an interface: its name, its object's path, its arguments.
    /// As long as the connection lives.
    ///
    /// Whoever sends it: GLib 2.74 warns loudly when a bus dies while it looks for the owner of a name, and those on a
    /// session's bus are all the same person's programs.
    package func listen(
        interface: String, _ receive: @escaping @Sendable (String, String, [BusValue]) -> Void
    ) {
        thread.run { [link] in
            guard let connection = link.connection else { return }
            let id = g_dbus_connection_signal_subscribe(
                connection, nil, interface, nil, nil, nil, G_DBUS_SIGNAL_FLAGS_NONE,
                { _, _, path, _, name, arguments, data in
                    guard let data, let path, let name else { return }
                    Unmanaged<Listener>.fromOpaque(data).takeUnretainedValue()
                        .receive(String(cString: name), String(cString: path), BusValue.values(in: arguments))
                }, Unmanaged.passRetained(Listener(receive)).toOpaque(),
                { data in data.map { Unmanaged<Listener>.fromOpaque($0).release() } })
            link.subscriptions.append(id)
        }
    }

    /// Calls back, on the connection's thread, when the bus is gone, or at once if there was none.
    package func whenClosed(_ act: @escaping @Sendable () -> Void) {
        thread.run { [link] in
            guard let connection = link.connection, g_dbus_connection_is_closed(connection) == 0 else { return act() }
            let closed: @convention(c) (OpaquePointer?, gboolean, UnsafeMutablePointer<GError>?, gpointer?) -> Void = {
                _, _, _, data in
                data.map { Unmanaged<Closing>.fromOpaque($0).takeUnretainedValue().act() }
            }
            g_signal_connect_data(
                UnsafeMutableRawPointer(connection), "closed", unsafeBitCast(closed, to: GCallback.self),
                Unmanaged.passRetained(Closing(act)).toOpaque(),
                { data, _ in data.map { Unmanaged<Closing>.fromOpaque($0).release() } }, GConnectFlags(rawValue: 0))
        }
    }

    private final class Closing: Sendable {
        let act: @Sendable () -> Void
        init(_ act: @escaping @Sendable () -> Void) { self.act = act }
    }

    private final class Listener: Sendable {
        let receive: @Sendable (String, String, [BusValue]) -> Void
        init(_ receive: @escaping @Sendable (String, String, [BusValue]) -> Void) { self.receive = receive }
    }
}
