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
        event = pa_context_rttime_new(
            connection.context, pa_rtclock_now() + interval,
            { _, _, _, data in
                data.map { Unmanaged<PulseTimer>.fromOpaque($0).takeUnretainedValue() }?.fire()
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends it, on the connection's thread.
    package func cancel() {
        guard let event else { return }
        pa_threaded_mainloop_get_api(connection.loop).pointee.time_free(event)
        self.event = nil
    }

    private func fire() {
        guard let event else { return }
        pa_context_rttime_restart(connection.context, event, pa_rtclock_now() + interval)
        body()
    }
}
