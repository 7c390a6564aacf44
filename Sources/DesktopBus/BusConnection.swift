import CGIO
import Dispatch
import Threads

/// A connection of one's own to a bus.
///
/// It never waits and never fails by itself: what is asked before it is made is asked then, and where there is no bus, or
/// it has died, each question is answered with an error. Answers and signals come on the connection's own thread, in the
/// order of the bus.
package final class BusConnection: Sendable {
    let thread = BusThread()
    let link = Link()

    /// What belongs to the thread.
    final class Link: @unchecked Sendable {
        /// Touched on the connection's thread only.
        var connection: OpaquePointer?
        var subscriptions: [UInt32] = []
        var objects: [UInt32] = []
    }

    /// How long a bus may take to let somebody in.
    static let connectingLimit = Duration.seconds(5)

    /// Begins to connect.
    package init(_ bus: BusAddress) {
        guard let address = bus.text() else { return }
        thread.run { [link] in link.connection = Self.connect(address) }
    }

    deinit {
        thread.run { [link] in
            guard let connection = link.connection else { return }
            for id in link.subscriptions { g_dbus_connection_signal_unsubscribe(connection, id) }
            for id in link.objects { g_dbus_connection_unregister_object(connection, id) }
            g_dbus_connection_close_sync(connection, nil, nil)
            g_object_unref(UnsafeMutableRawPointer(connection))
            link.connection = nil
        }
        thread.end()
    }

    /// A private connection: GIO's shared one would end the process when the bus dies.
    private static func connect(_ address: String) -> OpaquePointer? {
        let cancellable = Cancellable()
        let limit = DispatchWorkItem { g_cancellable_cancel(cancellable.pointer) }
        DispatchQueue.global().asyncAfter(deadline: .now() + connectingLimit.seconds, execute: limit)
        defer { limit.cancel() }
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        return g_dbus_connection_new_for_address_sync(address, flags, nil, cancellable.pointer, nil)
    }

    /// Calls back once all that was asked before has left this process, or there is no bus.
    package func flush(_ done: @escaping @Sendable () -> Void) {
        thread.run { [link] in
            if let connection = link.connection, g_dbus_connection_is_closed(connection) == 0 {
                g_dbus_connection_flush_sync(connection, nil, nil)
            }
            done()
        }
    }

    private final class Cancellable: @unchecked Sendable {
        let pointer = g_cancellable_new()
        deinit { pointer.map { g_object_unref($0) } }
    }
}

/// What a bus or a service on it said, or why nothing was asked.
package struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The bus's own words, or a few without a full stop.
    package let description: String

    static let closed = BusError(description: "there is no connection to the bus")
    static let unsendable = BusError(description: "an argument cannot be sent over D-Bus")

    init(description: String) { self.description = description }

    /// Takes the error over.
    init(taking error: UnsafeMutablePointer<GError>?) {
        description = error.map { String(cString: $0.pointee.message) } ?? "the bus gave no reason"
        error.map(g_error_free)
    }
}
