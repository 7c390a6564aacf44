import CPulse

/// Calls a closure on a connection's thread again and again, as long as this exists.
package final class PulseTimer: @unchecked Sendable {
    private let connection: PulseConnection
    private let interval: UInt64
    private let body: () -> Void
    private var event: OpaquePointer?

    /// On the connection's thread.
    ///
    /// - Parameter milliseconds: from one call to the next, and to the first.
    package init(_ connection: PulseConnection, every milliseconds: UInt64, _ body: @escaping () -> Void) {
        (self.connection, self.interval, self.body) = (connection, milliseconds * 1000, body)
        let pulse = connection.pulse
        event = pulse.makeTimer(
            connection.context, pulse.now() + interval,
            { _, _, _, data in
                data.map { Unmanaged<PulseTimer>.fromOpaque($0).takeUnretainedValue() }?.fire()
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends it, on the connection's thread.
    package func cancel() {
        guard let event else { return }
        connection.pulse.loopFunctions(connection.loop)?.pointee.time_free(event)
        self.event = nil
    }

    private func fire() {
        guard let event else { return }
        connection.pulse.restartTimer(connection.context, event, connection.pulse.now() + interval)
        body()
    }
}
