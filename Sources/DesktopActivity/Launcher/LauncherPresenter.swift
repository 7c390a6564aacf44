import DesktopBus
import Foundation
import LiveActivity
import Threads

/// Shows progress on the program's icon in docks: com.canonical.Unity.LauncherEntry, which Plasma, Ubuntu's dock, Plank and
/// others read. What it shows vanishes with the connection.
final class LauncherPresenter: Sendable {
    private static let interface = "com.canonical.Unity.LauncherEntry"
    private static let path = "/com/canonical/unity/launcherentry/rushes"
    private static let description = """
        <node><interface name="com.canonical.Unity.LauncherEntry">
          <method name="Query"><arg direction="out" type="s"/><arg direction="out" type="a{sv}"/></method>
          <signal name="Update"><arg type="s"/><arg type="a{sv}"/></signal>
        </interface></node>
        """
    private static let application = BusValue.string("application://\(ActivityWords.desktopEntry).desktop")

    private let outbox: Outbox
    private let plan: Locked<LauncherPlan>

    init(_ bus: BusConnection) {
        outbox = Outbox(bus)
        let plan = Locked(LauncherPlan())
        self.plan = plan
        bus.export(path: Self.path, interface: Self.description) { _, _ in
            [Self.application, .properties(plan.withLock { $0.properties })]
        }
    }

    func show(_ event: ActivityEvent) {
        guard let properties = plan.withLock({ $0.take(event) }) else { return }
        outbox.emit(
            path: Self.path, interface: Self.interface, signal: "Update", [Self.application, .properties(properties)])
        if event.event == .end { outbox.settle() }
    }
}

/// What docks show on the program's icon: how far all its work is, and how many works there are.
struct LauncherPlan {
    /// Docks redraw for each; a second is often enough.
    static let interval = 1.0

    private var running: [String: ContentState] = [:]
    private var sent: [String: BusValue]?
    private var time = Date.distantPast

    /// What to tell the docks now; nil: nothing new.
    mutating func take(_ event: ActivityEvent) -> [String: BusValue]? {
        let isTurn = event.event != .update || event.timestamp.timeIntervalSince(time) >= Self.interval
        running[event.id] = event.event == .end ? nil : event.contentState
        guard isTurn, properties != sent else { return nil }
        sent = properties
        time = event.timestamp
        return sent
    }

    /// By the Unity launcher API; docks that come late ask for it.
    var properties: [String: BusValue] {
        let fractions = running.values.compactMap(\.fraction)
        let mean = fractions.isEmpty ? 0 : fractions.reduce(0, +) / Double(fractions.count)
        return [
            "progress": .double((mean * 100).rounded(.down) / 100), "progress-visible": .bool(!fractions.isEmpty),
            "count": .int64(Int64(running.count)), "count-visible": .bool(running.count > 1), "urgent": .bool(false),
        ]
    }
}
