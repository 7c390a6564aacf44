import DesktopBus
import LiveActivity
import Threads

/// Shows activities in KDE's job tracker, beside its file copies: org.kde.JobViewServerV2 and org.kde.JobViewV3, as
/// KJobWidgets' KUiServerV2JobTracker speaks them.
final class JobViewPresenter: Sendable {
    private static let service = "org.kde.JobViewServer"
    private static let view = "org.kde.JobViewV3"

    private let outbox: Outbox
    private let offers: @Sendable (String) -> Set<ActivityControl>
    private let plans = Locked<[String: JobViewPlan]>([:])

    init(
        _ bus: BusConnection, offers: @escaping @Sendable (String) -> Set<ActivityControl>,
        control: @escaping @Sendable (String, ActivityControl) -> Void
    ) {
        outbox = Outbox(bus)
        self.offers = offers
        bus.listen(interface: Self.view) { [plans] name, path, _ in
            guard let id = plans.withLock({ $0.first { $0.value.isView(at: path) }?.key }) else { return }
            switch name {
            // A recording that is cancelled in a tracker keeps what it has, where it can.
            case "cancelRequested": control(id, offers(id).contains(.stop) ? .stop : .cancel)
            case "suspendRequested": control(id, .pause)
            case "resumeRequested": control(id, .resume)
            default: break
            }
        }
    }

    func show(_ event: ActivityEvent) {
        let controls = event.event == .start ? offers(event.id) : []
        let steps = plans.withLock { plans in
            var plan = plans[event.id] ?? JobViewPlan(event)
            defer { plans[event.id] = plan }
            return plan.take(event, controls: controls)
        }
        perform(steps, event.id)
        if event.event == .end { outbox.settle() }
    }

    private func perform(_ steps: [JobViewPlan.Step], _ id: String) {
        for step in steps {
            switch step {
            case .request(let capabilities):
                let method = BusMethod(
                    service: Self.service, path: "/JobViewServer", interface: "org.kde.JobViewServerV2",
                    name: "requestView")
                let arguments: [BusValue] = [
                    .string(ActivityWords.desktopEntry), .int32(capabilities), .properties([:]),
                ]
                // Plasma's tracker runs or is none: a started one would have no window.
                outbox.call(method, arguments, startsService: false) { [weak self] reply in
                    let path = try? reply.get().values.first?.string
                    guard let self else { return }
                    perform(plans.withLock { $0[id]?.opened(path) ?? [] }, id)
                }
            case .update(let path, let properties): call("update", path, [.properties(properties)])
            case .terminate(let path, let code, let message):
                call("terminate", path, [.uint32(code), .string(message), .properties([:])])
            }
        }
    }

    private func call(_ name: String, _ path: String, _ arguments: [BusValue]) {
        let method = BusMethod(service: Self.service, path: path, interface: Self.view, name: name)
        outbox.call(method, arguments, startsService: false)
    }
}
