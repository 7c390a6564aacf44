import Foundation
import SystemPackage
import Threads

/// Tells systemd what a service does and that it still gets on: datagrams to `$NOTIFY_SOCKET`, by sd_notify(3).
///
/// The watchdog is fed only when the work has advanced, so that a service that lives but is stuck is restarted. That it ends is not
/// told: one activity after the other may be its work, and systemd ends what said so and goes on.
struct ServiceNotifier {
    /// Of each activity that has not ended.
    private var last: [String: ActivityEvent] = [:]
    private var isReady = false

    /// What to send at this event.
    mutating func message(for event: ActivityEvent) -> String {
        var fields: [String] = []
        if !isReady { fields.append("READY=1") }
        isReady = true
        // Control characters would begin another field.
        fields.append("STATUS=" + PlainSchedule.text(event))
        if hasAdvanced(event) { fields.append("WATCHDOG=1") }
        last[event.id] = event.event == .end ? nil : event
        return fields.joined(separator: "\n")
    }

    /// Whether anything waits for a person, a device or a file: it is not stuck, and may have nothing to tell for hours.
    var isWaiting: Bool { last.values.contains { Self.isWaiting($0) } }

    private static func isWaiting(_ event: ActivityEvent) -> Bool {
        let state = event.contentState
        switch state.phase {
        case .waiting, .paused, .interrupted: return true
        // A watched folder of which all has been done.
        case .running where event.kind == .batch:
            return (state.completedItems ?? 0) + (state.failedItems ?? 0) >= state.totalItems ?? .max
        default: return false
        }
    }

    /// What does not wait has to have done something. Between the shots of a timelapse it is told every few seconds that they go on.
    private func hasAdvanced(_ event: ActivityEvent) -> Bool {
        let state = event.contentState
        guard let last = last[event.id]?.contentState, state.phase == last.phase, !Self.isWaiting(event) else {
            return true
        }
        return state.mediaTime != last.mediaTime || state.bytesWritten != last.bytesWritten
            || state.framesWritten != last.framesWritten || state.completedItems != last.completedItems
            || state.fraction != last.fraction || (event.kind == .timelapse && state.phase == .running)
    }
}

/// A process's own way to systemd: one, whatever the number of its activities.
private final class ServiceManager: Sendable {
    static let shared = ServiceManager(environment: ProcessInfo.processInfo.environment)

    private let socket: String
    private let notifier: Locked<ServiceNotifier>
    private let feeding: Task<Void, Never>?

    /// - Returns: `nil` where systemd did not start the process with `Type=notify`.
    init?(environment: [String: String]) {
        guard let socket = environment["NOTIFY_SOCKET"], socket.hasPrefix("/") || socket.hasPrefix("@") else {
            return nil
        }
        let notifier = Locked(ServiceNotifier())
        (self.socket, self.notifier) = (socket, notifier)
        feeding = Self.watchdog(environment).map { limit in
            Task {
                while (try? await Task.sleep(for: limit / 2)) != nil {
                    guard notifier.withLock({ $0.isWaiting }) else { continue }
                    UnixSocket.sendDatagram(Array("WATCHDOG=1".utf8), to: socket)
                }
            }
        }
    }

    deinit { feeding?.cancel() }

    func show(_ event: ActivityEvent) {
        let message = notifier.withLock { Array($0.message(for: event).utf8) }
        UnixSocket.sendDatagram(message, to: socket)
    }

    /// How long after its last sign of life systemd takes this process for dead, by sd_watchdog_enabled(3); `nil` where it does not look.
    private static func watchdog(_ environment: [String: String]) -> Duration? {
        guard let limit = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), limit > 0,
            environment["WATCHDOG_PID"].map({ $0 == String(getpid()) }) ?? true
        else { return nil }
        return .microseconds(limit)
    }
}

extension ActivityReporter {
    /// Status, readiness and watchdog for systemd, if it is systemd that started this process (`Type=notify`).
    ///
    /// - Returns: `nil` where systemd did not start it that way.
    public static func service() -> ActivityReporter? { service(ServiceManager.shared) }

    static func service(environment: [String: String]) -> ActivityReporter? {
        service(ServiceManager(environment: environment))
    }

    private static func service(_ manager: ServiceManager?) -> ActivityReporter? {
        manager.map { manager in ActivityReporter { manager.show($0) } }
    }
}
