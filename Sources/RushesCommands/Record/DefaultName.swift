import Foundation
import SystemPackage

/// The name of a take without one: "Movie 2026-11-21 at 14.03.22.mov" in the current folder.
enum DefaultName {
    static func path(at date: Date, timeZone: TimeZone = .current, ending: String = "mov") -> FilePath {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func two(_ value: Int?) -> String { (value ?? 0) < 10 ? "0\(value ?? 0)" : "\(value ?? 0)" }
        return FilePath(
            "Movie \(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) "
                + "at \(two(parts.hour)).\(two(parts.minute)).\(two(parts.second)).\(ending)")
    }
}
