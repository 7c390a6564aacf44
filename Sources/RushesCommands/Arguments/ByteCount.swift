import ArgumentParser

/// A number of bytes as people type it: `500M` and `2G` are decimal, `2GiB` is binary.
struct ByteCount: Equatable, Sendable {
    var bytes: Int64

    /// - Returns: `nil` unless the whole text is a positive number of bytes.
    init?(_ text: String) {
        let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
        guard let value = Double(digits), let factor = Self.factor(text.dropFirst(digits.count)) else { return nil }
        let bytes = value * factor
        guard bytes >= 1, bytes < 9e18 else { return nil }
        self.bytes = Int64(bytes)
    }

    private static func factor(_ unit: Substring) -> Double? {
        let prefixes = ["": 0.0, "k": 1, "m": 2, "g": 3, "t": 4]
        var unit = unit.lowercased()
        if unit.hasSuffix("ib") {
            unit.removeLast(2)
            return unit.isEmpty ? nil : prefixes[unit].map { power(1024, $0) }
        }
        if unit.hasSuffix("b") { unit.removeLast() }
        return prefixes[unit].map { power(1000, $0) }
    }

    private static func power(_ base: Double, _ exponent: Double) -> Double {
        (0..<Int(exponent)).reduce(1) { product, _ in product * base }
    }
}

extension ByteCount: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}
