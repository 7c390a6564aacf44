import DesktopBus
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
