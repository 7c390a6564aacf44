import DesktopBus
import Foundation
import LiveActivity

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
