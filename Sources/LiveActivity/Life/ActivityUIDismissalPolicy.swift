public import Foundation

/// When surfaces take an ended activity away. ActivityKit's name and choices.
public enum ActivityUIDismissalPolicy: Sendable, Hashable {
    /// Four hours after the end, ActivityKit's longest: who comes back after lunch still sees the result.
    case `default`
    /// With the end.
    case immediate
    /// At that time. Unlike on a lock screen any time goes: what ended in the night may stay until the morning.
    case after(Date)

    /// - Parameter end: when the activity ended.
    func date(end: Date) -> Date {
        switch self {
        case .default: end.addingTimeInterval(4 * 3600)
        case .immediate: end
        case .after(let date): max(date, end)
        }
    }
}
