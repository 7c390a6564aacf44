import DesktopBus
import Threads

/// The notification of work that went well, which opens the movie at a click.
///
/// Somebody has to be there for the click, and desktops take away what a program showed that is gone: so a command that
/// ends with its work hands the notice to a process that stays for it.
public struct LastNotice: Sendable, Codable, Equatable {
    let summary: String
    let body: String
    let image: String?
    let opens: String
    /// The notification that it takes the place of.
    let replaces: UInt32

    init(_ post: NotificationPlan.Post, body: String) {
        summary = post.notice.summary
        self.body = body
        image = post.notice.image
        opens = post.notice.opens ?? ""
        replaces = post.replaces
    }

    /// Whoever has not clicked by then opens it by hand.
    static let lifetime = Duration.seconds(600)

    /// Shows it, opens the movie if it is clicked, and returns when it is closed, after ten minutes at the latest.
    public func show() async {
        await show(on: .session) { DesktopLaunch.open(ActivityWords.link($0)) }
    }

    func show(on session: BusAddress, open: @escaping @Sendable (String) -> Void) async {
        let isOver = AsyncSignal()
        let bus = BusConnection(session)
        let number = Locked<UInt32>(0)
        bus.whenClosed { isOver.fire() }
        bus.listen(interface: NotificationPresenter.interface) { name, _, arguments in
            guard arguments.first?.uint32 == number.withLock({ $0 }) else { return }
            if name == "ActionInvoked", arguments.last?.string == "default" {
                open(opens)
                isOver.fire()
            }
            if name == "NotificationClosed" { isOver.fire() }
        }
        let notice = NotificationPlan.Notice(summary: summary, body: body, image: image, opens: opens, isFinal: true)
        let arguments = NotificationPresenter.arguments(
            NotificationPlan.Post(notice: notice, replaces: replaces), body: body, isClickable: true)
        bus.call(NotificationPresenter.method("Notify"), arguments) { reply in
            guard let answer = try? reply.get().values.first?.uint32 else { return isOver.fire() }
            number.withLock { $0 = answer }
        }
        _ = await isOver.wait(within: Self.lifetime)
        // Some servers leave what was clicked on the screen.
        let close = NotificationPresenter.method("CloseNotification")
        _ = try? await bus.call(close, [.uint32(number.withLock { $0 })])
    }
}
