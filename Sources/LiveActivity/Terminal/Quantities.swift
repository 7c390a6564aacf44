/// Numbers as a person reads them at a glance.
package enum Quantities {
    /// "0:07", "12:34", "1:02:03".
    package static func clock(_ seconds: Double) -> String {
        let total = Int(exactly: max(0, seconds).rounded(.down)) ?? 0
        let (hours, minutes, rest) = (total / 3600, total / 60 % 60, total % 60)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
    }

    /// To the nearest of two units at most: "45 s", "12 min", "3 h 20 min", "9 days".
    package static func span(_ seconds: Double) -> String {
        let total = Int(exactly: min(max(0, seconds), 1e15).rounded()) ?? 0
        let minutes = (total + 30) / 60
        switch total {
        case ..<100: return "\(total) s"
        case ..<5400: return "\(minutes) min"
        case ..<172_800: return "\(minutes / 60) h" + (minutes % 60 > 0 ? " \(minutes % 60) min" : "")
        default: return "\((total + 43_200) / 86_400) days"
        }
    }

    /// For how long a disk has space, never more than it has: "space for 2 h"; `nil` beyond a month.
    package static func space(for seconds: Double) -> String? {
        guard seconds < 30 * 86_400 else { return nil }
        let unit = [86_400.0 * 2, 3600, 60].first { seconds >= $0 * 2 } ?? 1
        let whole = min(unit, 86_400)
        return "space for \(span((seconds / whole).rounded(.down) * whole))"
    }

    /// Frames a second: "30", "7.5".
    static func rate(_ rate: Double) -> String { decimals(rate, rate < 9.95 ? 1 : 0) }

    /// How many times as fast as it plays: "2.4x", "0.03x".
    package static func speed(_ speed: Double) -> String { "\(decimals(speed, speed < 0.095 ? 2 : 1))x" }

    /// Decimal units with three digits: "999 B", "48.2 MB", "1.25 GB".
    package static func bytes(_ count: Int64) -> String {
        guard count >= 1000 else { return "\(max(0, count)) B" }
        var value = Double(count)
        var units = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
        while let unit = units.popFirst() {
            value /= 1000
            // What would round to 1000 belongs to the next unit.
            if value < 999.5 || units.isEmpty {
                return "\(decimals(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0)) \(unit)"
            }
        }
        return "\(count) B"
    }

    /// "23.5%".
    package static func percent(_ fraction: Double) -> String { "\(decimals(min(max(fraction, 0), 1) * 100, 1))%" }

    /// "-18 dB"; silence has no number.
    static func level(_ decibels: Double) -> String {
        decibels > -100 ? "\(Int(exactly: decibels.rounded()) ?? 0) dB" : "silent"
    }

    /// A number with a fixed count of decimals and a point, whatever the locale.
    static func decimals(_ value: Double, _ count: Int) -> String {
        let scale = [1, 10, 100][min(max(count, 0), 2)]
        guard let scaled = Int(exactly: (abs(value) * Double(scale)).rounded()) else { return "?" }
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard scale > 1 else { return sign + String(scaled) }
        let rest = String(scaled % scale)
        return sign + "\(scaled / scale)." + String(repeating: "0", count: count - rest.count) + rest
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
