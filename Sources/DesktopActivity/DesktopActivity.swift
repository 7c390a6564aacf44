package import DesktopBus
public import LiveActivity

/// What a desktop shows of activities: a notification with a bar, KDE's job tracker, the icon in the dock; and a machine
/// that stays awake meanwhile.
///
/// Where there is no bus, or nobody on it who shows such things, nothing is shown, and nothing is said about it.
public enum DesktopActivity {
    /// On the buses of this person's desktop and of the machine.
    ///
    /// - Parameters:
    ///   - offers: what may be asked of the activity of that id.
    ///   - control: asks it, when a person presses a button.
    ///   - handOver: gives the notification of an end to a process that stays for the click on it; false: there is none.
    ///     For programs that end with their work; others need nothing here.
    public static func reporter(
        offers: @escaping @Sendable (String) -> Set<ActivityControl>,
        control: @escaping @Sendable (String, ActivityControl) -> Void,
        handOver: @escaping @Sendable (LastNotice) -> Bool = { _ in false }
    ) -> ActivityReporter {
        reporter(session: .session, system: .system, offers: offers, control: control, handOver: handOver)
    }

    /// - Parameters:
    ///   - session: the bus of the person's desktop.
    ///   - system: the bus of the machine, where its sleep is decided.
    package static func reporter(
        session: BusAddress, system: BusAddress,
        offers: @escaping @Sendable (String) -> Set<ActivityControl>,
        control: @escaping @Sendable (String, ActivityControl) -> Void,
        handOver: @escaping @Sendable (LastNotice) -> Bool = { _ in false }
    ) -> ActivityReporter {
        let bus = BusConnection(session)
        let notifications = NotificationPresenter(
            bus, open: { DesktopLaunch.open(ActivityWords.link($0)) }, handOver: handOver)
        let jobs = JobViewPresenter(bus, offers: offers, control: control)
        let launcher = LauncherPresenter(bus)
        let awake = AwakePresenter(BusConnection(system))
        return ActivityReporter { event in
            awake.show(event)
            jobs.show(event)
            launcher.show(event)
            notifications.show(event)
        }
    }
}
