import Foundation
import SystemPackage
import Threads

extension ActivityReporter {
    /// Status, readiness and watchdog for systemd, if it is systemd that started this process (`Type=notify`).
    ///
    /// - Returns: `nil` where nobody wants to know.
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
