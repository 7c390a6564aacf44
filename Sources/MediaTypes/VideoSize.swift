/// The width and height of a frame, in pixels.
public struct VideoSize: Codable, Sendable, Hashable, CustomStringConvertible {
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int

    /// Width, then height, in pixels.
    public init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    /// Reads "1920x1080", also with "×".
    ///
    /// - Returns: `nil` unless both are whole numbers from 1 to 65535.
    package init?(_ text: String) {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == "X" || $0 == "×" }
        guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }),
            let width = Int(parts[0]),
            let height = Int(parts[1]), (1...65535).contains(width), (1...65535).contains(height)
        else { return nil }
        self.init(width, height)
    }

    /// How many there are, as far as a number can tell.
    package var pixels: Int {
        let (product, isTooMany) = width.multipliedReportingOverflow(by: height)
        return isTooMany ? .max : product
    }
    public var description: String { "\(width)×\(height)" }
}

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

    /// The same ratio in lowest terms.
    package var reduced: Fraction {
        var (a, b) = (abs(numerator), abs(denominator))
        while b != 0 { (a, b) = (b, a % b) }
        return a > 1 ? Fraction(numerator / a, denominator / a) : self
    }

    /// As a person writes a frame rate: "30", "29.97", "12.5".
    package var rateText: String {
        let value = (doubleValue * 100).rounded() / 100
        return value == value.rounded() ? String(Int(value)) : String(value)
    }
}
