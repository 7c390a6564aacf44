import Foundation

extension DeviceControl {
    /// A number for people: "12.5 ms", "5600 K", "2x".
    static func words(_ number: Double, _ unit: Unit?) -> String {
        switch unit {
        case .seconds:
            number == 0 ? "0 s" : number < 0.9995 ? "\(text(number * 1000, 2)) ms" : "\(text(number, 2)) s"
        case .kelvin: "\(text(number, 0)) K"
        case .exposureValues: (number > 0 ? "+" : "") + "\(text(number, 2)) EV"
        case .degrees, .factor: text(number, 2) + (unit?.rawValue ?? "")
        case nil: text(number, 3)
        }
    }

    /// Without zeros at its end.
    private static func text(_ number: Double, _ places: Int) -> String {
        let text = String(format: "%.\(places)f", number)
        guard text.contains(".") else { return text }
        let short = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
        return String(String(short.reversed()))
    }

    /// What it can be, in one breath: "0.3 ms to 200 ms, auto, or -1ev from now".
    package var choices: String {
        var parts: [String] = []
        if let range {
            parts.append("\(Self.words(range.lowerBound, unit)) to \(Self.words(range.upperBound, unit))")
        } else {
            parts += items ?? []
        }
        if isAutomatic != nil { parts.append("auto") }
        if takesExposureValues { parts.append("-1ev from now") }
        guard let last = parts.popLast() else { return "nothing" }
        return parts.isEmpty ? last : parts.joined(separator: ", ") + " or " + last
    }

    /// What is added to it doubles or halves the light.
    var takesExposureValues: Bool { name == "exposure" && control.value.map { $0 > 0 } == true }
}
