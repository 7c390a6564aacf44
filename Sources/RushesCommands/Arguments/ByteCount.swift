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

/// A number of bytes that are to stay free, as people type it; 0 for none.
struct FreeBytes: Equatable, Sendable, ExpressibleByArgument {
    var bytes: Int64

    init?(argument: String) {
        guard let bytes = argument == "0" ? 0 : ByteCount(argument)?.bytes else { return nil }
        self.bytes = bytes
    }
}

/// Bits a second as people type them: `8M`, `2500k`, `8000000`.
struct BitRate: Equatable, Sendable, ExpressibleByArgument {
    var bitsPerSecond: Int

    init?(argument: String) {
        let factors: [Character: Double] = ["k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6]
        let factor = argument.last.flatMap { factors[$0] }
        let digits = factor == nil ? argument[...] : argument.dropLast()
        guard digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let value = Double(digits) else {
            return nil
        }
        let bits = value * (factor ?? 1)
        guard (1000...2e9).contains(bits) else { return nil }
        bitsPerSecond = Int(bits)
    }
}

/// How long a part is, as people type it: a duration (`10m`, `1h`, `90`), or a size with a capital or a B (`500M`, `2GiB`).
struct PartLength: Equatable, Sendable, ExpressibleByArgument {
    var duration: Duration?
    var bytes: Int64?

    /// - Returns: `nil` unless the whole text is either.
    init?(argument: String) {
        if let span = TimeSpan(argument) {
            duration = span.duration
        } else if let count = ByteCount(argument) {
            bytes = count.bytes
        } else {
            return nil
        }
    }

    /// A file of less would be more work than movie.
    var isTooShort: Bool { duration.map { $0 < .seconds(1) } ?? bytes.map { $0 < 1_000_000 } ?? false }
}
