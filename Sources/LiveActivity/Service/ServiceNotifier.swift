import Foundation

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
