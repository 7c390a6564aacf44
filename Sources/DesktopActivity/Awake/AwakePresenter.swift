import DesktopBus
import Foundation
import LiveActivity
import Threads

/// Keeps the machine awake while work goes on: logind's Inhibit (org.freedesktop.login1, "Inhibitor Locks").
///
/// Of the ways to ask, this one works without a desktop, on a recorder in a shed, and the lock is an open file: the kernel
/// gives it back even for a process that was killed. Screens may go dark, which a recording does not mind; shutting down is
/// the person's wish and is not held up.
final class AwakePresenter: Sendable {
    private static let method = BusMethod(
        service: "org.freedesktop.login1", path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
        name: "Inhibit")

    private struct State {
        var plan = AwakePlan()
        var isNeeded = false
        /// Open as long as the machine must stay awake.
        var lock: FileHandle?
    }
    private let outbox: Outbox
    private let state = Locked(State())

    init(_ bus: BusConnection) { outbox = Outbox(bus) }

    func show(_ event: ActivityEvent) {
        switch state.withLock({ $0.plan.take(event) }) {
        case .take(let reason): take(reason)
        case .release: release()
        case nil: break
        }
    }

    private func take(_ reason: String) {
        state.withLock { $0.isNeeded = true }
        let arguments: [BusValue] = [.string("sleep:idle"), .string("Rushes"), .string(reason), .string("block")]
        outbox.call(Self.method, arguments) { [state] reply in
            guard let file = try? reply.get().files.first else { return }
            // The work may be over by now; then the lock goes at once.
            state.withLock { if $0.isNeeded { $0.lock = file } }
        }
    }

    private func release() {
        state.withLock { state in
            state.isNeeded = false
            state.lock = nil
        }
    }
}

/// Whether the machine must stay awake: as long as any work goes on, or a recording or timelapse waits for what begins it. What is
/// paused does not need it, nor an export that waits.
struct AwakePlan {
    enum Step: Equatable { case take(reason: String), release }

    private var working: Set<String> = []
    private var title = "Rushes"

    mutating func take(_ event: ActivityEvent) -> Step? {
        title = event.attributes?.title ?? title
        let wasNeeded = !working.isEmpty
        switch event.contentState.phase {
        case .running, .interrupted, .finishing: working.insert(event.id)
        // A sound, a motion or a photo that comes to a sleeping machine is lost.
        case .waiting where event.kind == .recording || event.kind == .timelapse: working.insert(event.id)
        case .waiting, .paused, .finished, .failed, .cancelled: working.remove(event.id)
        }
        if event.event == .end { working.remove(event.id) }
        switch (wasNeeded, !working.isEmpty) {
        case (false, true): return .take(reason: "\(ActivityWords.doing(event)): \(title)")
        case (true, false): return .release
        default: return nil
        }
    }
}
