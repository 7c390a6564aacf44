import Foundation
import SystemPackage
import Threads

/// Tells systemd what a service does and that it still gets on: datagrams to `$NOTIFY_SOCKET`, by sd_notify(3).
///
/// The watchdog is fed only when the work has advanced, so that a service that lives but is stuck is restarted.
struct ServiceNotifier {
    private var last: ContentState?

    /// What to send at this event.
    mutating func message(for event: ActivityEvent) -> String {
        let state = event.contentState
        var fields: [String] = []
        if event.event == .start { fields.append("READY=1") }
        if event.event == .end { fields.append("STOPPING=1") }
        // Control characters would begin another field.
        fields.append("STATUS=" + PlainSchedule.text(event))
        if Self.hasAdvanced(state, since: last) { fields.append("WATCHDOG=1") }
        last = state
        return fields.joined(separator: "\n")
    }

    /// Who waits for a person or a device is not stuck. All else has to have done something.
    private static func hasAdvanced(_ state: ContentState, since last: ContentState?) -> Bool {
        guard let last, state.phase == last.phase else { return true }
        switch state.phase {
        case .waiting, .paused, .interrupted: return true
        case .running, .finishing, .finished, .failed, .cancelled:
            return state.mediaTime != last.mediaTime || state.bytesWritten != last.bytesWritten
                || state.framesWritten != last.framesWritten || state.completedItems != last.completedItems
                || state.fraction != last.fraction
        }
    }
}

extension ActivityReporter {
    /// Status, readiness and watchdog for systemd, if it is systemd that started this process (`Type=notify`).
    ///
    /// - Returns: `nil` where systemd did not start it that way.
    public static func service() -> ActivityReporter? { service(environment: ProcessInfo.processInfo.environment) }

    static func service(environment: [String: String]) -> ActivityReporter? {
        guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@") else {
            return nil
        }
        let notifier = Locked(ServiceNotifier())
        return ActivityReporter { event in
            notifier.withLock { notifier in
                UnixSocket.sendDatagram(Array(notifier.message(for: event).utf8), to: socket)
            }
        }
    }
}
