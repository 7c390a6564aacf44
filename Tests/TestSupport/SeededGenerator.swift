import Foundation

/// Random numbers that can be had again: a failure names the seed.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    public init(state: UInt64) { self.state = state }

    /// Others in each run; what they began with is printed, and `RUSHES_SEED` takes it back.
    public static func printed(for purpose: String) -> SeededGenerator {
        let named = ProcessInfo.processInfo.environment["RUSHES_SEED"].flatMap { UInt64($0) }
        let seed = named ?? UInt64.random(in: 0..<1_000_000)
        print("\(purpose): RUSHES_SEED=\(seed)")
        return SeededGenerator(state: seed)
    }

    public mutating func next() -> UInt64 {
        // SplitMix64 by Steele, Lea and Flood.
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
