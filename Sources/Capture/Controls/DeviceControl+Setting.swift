import Foundation

/// What a driver is told.
struct V4L2Setting: Sendable, Hashable {
    let id: UInt32
    let value: Int32
}

extension DeviceControl {
    /// What sets it to a value as a person writes it, in the order in which the driver is told; `nil` where it cannot be that.
    ///
    /// The camera stops seeing to what is set. An exposure may be relative to what it is now: "-1ev".
    func settings(for text: String) -> [V4L2Setting]? {
        let word = text.lowercased()
        guard !isReadOnly else { return nil }
        if word == "auto", let automatic {
            return automatic.on.map { [V4L2Setting(id: automatic.control.id, value: $0)] }
        }
        guard let value = value(of: word) else { return nil }
        let manual = automatic.map { [V4L2Setting(id: $0.control.id, value: $0.off)] } ?? []
        return manual + [V4L2Setting(id: control.id, value: value)]
    }

    /// The driver's number of a value as a person writes it.
    private func value(of word: String) -> Int32? {
        switch scale {
        case .flag: Self.switches[word]
        case .torch: Self.switches[word].map { $0 == 0 ? 0 : V4L2ID.torch }
        case .powerLine:
            Self.powerLine.first { $0.word == (word.hasSuffix("hz") ? String(word.dropLast(2)) : word) }
                .flatMap { known in values.contains(known.value) ? known.value : nil }
        case .menu:
            (control.items.first { Self.slug($0.title) == word } ?? control.items.first { "\($0.index)" == word })?
                .index
        case .numbers(let step, let unit):
            Self.number(word, unit).flatMap { wanted in
                control.items.first { abs(Double($0.number) * step - wanted) < 1e-6 }?.index
            }
        case .number(let step, let offset, let unit): value(of: word, step, offset, unit)
        }
    }

    private func value(of word: String, _ step: Double, _ offset: Double, _ unit: Unit?) -> Int32? {
        if takesExposureValues, let now = control.value, word.hasSuffix("ev") {
            return Double(word.dropLast(2)).flatMap { change in
                change.isFinite ? control.nearest(to: Double(now) * exp2(change)) : nil
            }
        }
        guard let wanted = Self.number(word, unit) else { return nil }
        let value = (wanted - offset) / step
        // As exactly as it was shown.
        let slack = 0.5 * Double(control.step) + 1e-6
        let range = Double(control.range.lowerBound) - slack...Double(control.range.upperBound) + slack
        return range.contains(value) ? control.nearest(to: value) : nil
    }

    private static let switches: [String: Int32] = ["on": 1, "off": 0, "1": 1, "0": 0, "true": 1, "false": 0]

    /// A number as a person writes it, with its unit or without: "5600K", "2x", "1/50".
    static func number(_ text: String, _ unit: Unit?) -> Double? {
        if unit == .seconds { return seconds(text) }
        var text = text[...]
        if let suffix = unit?.rawValue.lowercased(), text.hasSuffix(suffix) { text = text.dropLast(suffix.count) }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// "0.02", "20ms", "20000us", "1/50", "2s".
    static func seconds(_ text: String) -> Double? {
        let units = [("us", 1e-6), ("µs", 1e-6), ("ms", 1e-3), ("s", 1)]
        let unit = units.first { text.hasSuffix($0.0) }
        let parts = text.dropLast(unit?.0.count ?? 0).split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0) }
        guard numbers.count == parts.count, (1...2).contains(numbers.count) else { return nil }
        let number = numbers.count == 2 ? numbers[0] / numbers[1] : numbers[0]
        return number.isFinite && number >= 0 ? number * (unit?.1 ?? 1) : nil
    }
}
