import Foundation

/// The same numbers in every run.
public struct SeededRandom: Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// From 0 up to 1.
    public mutating func uniform() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(1 << 53)
    }

    /// Of mean 1, never negative.
    public mutating func exponential() -> Double { -log(max(uniform(), 1e-300)) }

    /// Of mean 0 and deviation 1.
    public mutating func normal() -> Double {
        (-2 * log(max(uniform(), 1e-300))).squareRoot() * cos(2 * Double.pi * uniform())
    }
}
