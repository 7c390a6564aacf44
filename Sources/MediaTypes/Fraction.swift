/// A ratio of whole numbers, such as a frame rate of 30000/1001 per second.
public struct Fraction: Codable, Sendable, Hashable, CustomStringConvertible {
    /// Above the line.
    public var numerator: Int
    /// Below the line; 0 makes a fraction that stands for 0.
    public var denominator: Int

    /// As given, not reduced.
    public init(_ numerator: Int, _ denominator: Int = 1) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The nearest number; 0 where the denominator is 0.
    package var doubleValue: Double { denominator == 0 ? 0 : Double(numerator) / Double(denominator) }
    public var description: String { "\(numerator)/\(denominator)" }
}
