import Foundation
import MediaTypes

/// Numbers as people read them.
enum Words {
    /// "0:10.0", "1:02:03.5".
    static func clock(_ time: MediaTime) -> String {
        let tenths = Int((max(0, time.seconds) * 10).rounded())
        let (minutes, rest) = (tenths / 600, tenths % 600)
        let tail = "\(rest / 100)\(rest / 10 % 10).\(rest % 10)"
        guard minutes >= 60 else { return "\(minutes):\(tail)" }
        return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(tail)"
    }

    /// "896 kB", "12.3 MB": decimal, as disks are sold.
    static func size(_ bytes: Int64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var (value, unit) = (Double(bytes), 0)
        while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
        return unit == 0 ? "\(bytes) bytes" : "\(number(value, digits: value < 100 ? 1 : 0)) \(units[unit])"
    }

    /// "1 frame", "2 frames".
    static func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }

    static func bitRate(_ bits: UInt64) -> String {
        bits >= 1_000_000 ? "\(number(Double(bits) / 1e6)) Mbit/s" : "\(bits / 1000) kbit/s"
    }

    /// Without trailing zeros: "30", "29.97".
    static func number(_ value: Double, digits: Int = 2) -> String {
        let factor = pow(10, Double(digits))
        let rounded = (value * factor).rounded() / factor
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int(rounded)) : String(rounded)
    }
}

/// Answers for programs.
enum JSONText {
    /// One object in one line, its keys in order, slashes as they are.
    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
