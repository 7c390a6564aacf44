import DesktopBus
import LiveActivity
import Threads

/// Shows activities as notifications with a bar, by the Desktop Notifications Specification 1.2 and the hint `value`, which
/// notify-osd began and dunst, mako, SwayNC and others draw.
final class NotificationPresenter: Sendable {
    static let interface = "org.freedesktop.Notifications"

    private struct State {
        var plans: [String: NotificationPlan] = [:]
        /// nil until the server has said what it can do.
        var capabilities: Set<String>?
    }
    private let outbox: Outbox
    private let state = Locked(State())
    private let handOver: @Sendable (LastNotice) -> Bool

    /// - Parameters:
    ///   - open: shows a person the movie at a path.
    ///   - handOver: gives the last notice to who stays for the click; false: nobody does, and it is shown from here.
    init(
        _ bus: BusConnection, open: @escaping @Sendable (String) -> Void,
        handOver: @escaping @Sendable (LastNotice) -> Bool = { _ in false }
    ) {
        outbox = Outbox(bus)
        self.handOver = handOver
        outbox.call(Self.method("GetCapabilities")) { [weak self] reply in
            self?.begin(Set((try? reply.get().values.first?.strings) ?? []))
        }
        bus.listen(interface: Self.interface) { [state] name, _, arguments in
            guard let number = arguments.first?.uint32 else { return }
            switch name {
            case "NotificationClosed":
                state.withLock { state in for id in state.plans.keys { state.plans[id]?.closed(number) } }
            case "ActionInvoked" where arguments.last?.string == "default":
                let path = state.withLock { $0.plans.values.lazy.compactMap { $0.opened(by: number) }.first }
                path.map(open)
            default: break
            }
        }
    }

    func show(_ event: ActivityEvent) {
        let post = state.withLock { state in
            var plan = state.plans[event.id] ?? NotificationPlan(event, isServerKnown: state.capabilities != nil)
            defer { state.plans[event.id] = plan }
            return plan.take(event)
        }
        if let post { send(post, event.id) }
        if event.event == .end { outbox.settle() }
    }

    private func begin(_ capabilities: Set<String>) {
        let posts = state.withLock { state in
            state.capabilities = capabilities
            return state.plans.keys.compactMap { id in state.plans[id]?.next().map { (id, $0) } }
        }
        for (id, post) in posts { send(post, id) }
    }

    private func send(_ post: NotificationPlan.Post, _ id: String) {
        let capabilities = state.withLock { $0.capabilities ?? [] }
        let body = capabilities.contains("body-markup") ? Self.escaped(post.notice.body) : post.notice.body
        let isClickable = post.notice.opens != nil && capabilities.contains("actions")
        if isClickable, handOver(LastNotice(post, body: body)) { return }
        let arguments = Self.arguments(post, body: body, isClickable: isClickable)
        outbox.call(Self.method("Notify"), arguments) { [weak self] reply in
            let number = try? reply.get().values.first?.uint32
            guard let self, let next = state.withLock({ $0.plans[id]?.shown(number) }) else { return }
            send(next, id)
        }
    }

    /// - Parameter body: as the server takes it, markup escaped where it knows markup.
    static func arguments(_ post: NotificationPlan.Post, body: String, isClickable: Bool) -> [BusValue] {
        let notice = post.notice
        var hints: [String: BusValue] = [
            // Low while it works, normal for the end, critical, which stays until it is seen, for a failure.
            "urgency": .byte(notice.isFailure ? 2 : notice.isFinal ? 1 : 0),
            "desktop-entry": .string(ActivityWords.desktopEntry),
        ]
        if let percent = notice.percent { hints["value"] = .int32(Int32(percent)) }
        if let image = notice.image { hints["image-path"] = .string(image) }
        if !notice.isFinal { hints["suppress-sound"] = .bool(true) }
        return [
            .string("Rushes"), .uint32(post.replaces), .string("camera-video"), .string(notice.summary), .string(body),
            .strings(isClickable ? ["default", "Open"] : []), .properties(hints),
            .int32(notice.isFinal ? -1 : Int32(NotificationPlan.lifetime * 1000)),
        ]
    }

    /// The specification's markup is a part of XML.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    static func method(_ name: String) -> BusMethod {
        BusMethod(service: interface, path: "/org/freedesktop/Notifications", interface: interface, name: name)
    }
}
