package import GStreamer

/// Frame rates are fractions of frames a second.
extension Fraction {
    /// Reads "30", "29.97" or "30000/1001" as a frame rate.
    ///
    /// The decimal forms of television's rates become their exact fractions: 29.97 is 30000/1001.
    /// - Returns: `nil` unless it is a number above 0 and at most 1000.
    package init?(frameRate text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let rate: Fraction
        if parts.count == 2, let numerator = Int32(parts[0]), let denominator = Int32(parts[1]), denominator > 0 {
            // GStreamer's fractions have 32 bits on either side.
            rate = Fraction(Int(numerator), Int(denominator)).reduced
        } else if parts.count == 1, text.allSatisfy({ $0.isASCIIDigit || $0 == "." }), let value = Double(text),
            value <= 1000
        {
            rate = Fraction(frameRate: value)
        } else {
            return nil
        }
        guard rate.numerator > 0, rate.doubleValue <= 1000 else { return nil }
        self = rate
    }

    /// The nearest exact rate: whole, one of television's (n × 1000/1001), or thousandths.
    init(frameRate value: Double) {
        let whole = value.rounded()
        if abs(value - whole) < 0.0005 {
            self.init(Int(whole), 1)
        } else if abs(value - value.rounded(.up) * 1000 / 1001) < 0.006 {
            self.init(Int(value.rounded(.up)) * 1000, 1001)
        } else {
            self = Fraction(Int((value * 1000).rounded()), 1000).reduced
        }
    }

    /// Whether both mean the same rate to a person: 29.97 is 30000/1001, but not 30 (which is 0.1 % away).
    func isSameRate(as other: Fraction) -> Bool {
        abs(doubleValue - other.doubleValue) <= 0.0004 * max(doubleValue, other.doubleValue)
    }
}

extension Character {
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
