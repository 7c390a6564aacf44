import Foundation

/// Progress on the terminal's tab or on the dock: the control sequence OSC 9;4.
struct TabProgress {
    let isDrawn: Bool
    private var shown = Progress.none
    private var time = Date.distantPast

    init(isDrawn: Bool) { self.isDrawn = isDrawn }

    /// As OSC 9;4 numbers it.
    private enum Progress: Equatable {
        case none, indeterminate
        case value(Int)
        case error(Int)
        case paused(Int)

        var sequence: String {
            let (state, value) =
                switch self {
                case .none: (0, 0)
                case .value(let percent): (1, percent)
                case .error(let percent): (2, percent)
                case .indeterminate: (3, 0)
                case .paused(let percent): (4, percent)
                }
            // Ended by ST: VTE ignores the sequence with BEL.
            return "\u{1B}]9;4;\(state);\(value)\u{1B}\\"
        }
    }

    mutating func show(_ event: ActivityEvent, at now: Date) -> String {
        guard isDrawn else { return "" }
        let percent = event.contentState.fraction.map { Int($0 * 100) }
        let next: Progress =
            switch event.contentState.phase {
            case .paused, .interrupted: .paused(percent ?? 0)
            case .failed: .error(percent ?? 100)
            default: percent.map { .value($0) } ?? .indeterminate
            }
        // Some terminals drop what is not repeated for 15 seconds.
        guard next != shown || now.timeIntervalSince(time) >= 5 else { return "" }
        (shown, time) = (next, now)
        return next.sequence
    }

    mutating func clear() -> String {
        defer { shown = .none }
        return shown == .none ? "" : Progress.none.sequence
    }
}
