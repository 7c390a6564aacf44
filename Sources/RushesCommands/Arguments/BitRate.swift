import ArgumentParser

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
