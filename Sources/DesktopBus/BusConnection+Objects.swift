import CGIO

extension BusConnection {
    /// Makes an object that others on the bus may call.
    ///
    /// - Parameters:
    ///   - interface: its XML, by the D-Bus specification's introspection format; one interface.
    ///   - answer: called on the connection's thread with a method's name and arguments; the values to answer with, nil: an
    ///     error. As long as the connection lives.
    package func export(
        path: String, interface: String, answer: @escaping @Sendable (String, [BusValue]) -> [BusValue]?
    ) {
        thread.run { [link] in
            guard let connection = link.connection, let node = g_dbus_node_info_new_for_xml(interface, nil) else {
                return
            }
            // The registration keeps what it needs of it.
            defer { g_dbus_node_info_unref(node) }
            var table = GDBusInterfaceVTable()
            table.method_call = { _, _, _, _, method, arguments, invocation, data in
                guard let data, let method, let invocation else { return }
                Unmanaged<Exported>.fromOpaque(data).takeUnretainedValue()
                    .call(String(cString: method), arguments, invocation)
            }
            let id = withUnsafePointer(to: &table) { table in
                g_dbus_connection_register_object(
                    connection, path, node.pointee.interfaces?.pointee, table,
                    Unmanaged.passRetained(Exported(answer)).toOpaque(),
                    { data in data.map { Unmanaged<Exported>.fromOpaque($0).release() } }, nil)
            }
            if id != 0 { link.objects.append(id) }
        }
    }

    private final class Exported: Sendable {
        private let answer: @Sendable (String, [BusValue]) -> [BusValue]?
        init(_ answer: @escaping @Sendable (String, [BusValue]) -> [BusValue]?) { self.answer = answer }

        func call(_ method: String, _ arguments: OpaquePointer?, _ invocation: OpaquePointer) {
            if let values = answer(method, BusValue.values(in: arguments)), let tuple = BusValue.tuple(values) {
                g_dbus_method_invocation_return_value(invocation, tuple)
            } else {
                g_dbus_method_invocation_return_dbus_error(
                    invocation, "org.freedesktop.DBus.Error.Failed", "\(method) cannot be answered")
            }
        }
    }
}
