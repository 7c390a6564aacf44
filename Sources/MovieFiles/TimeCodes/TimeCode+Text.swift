package import MediaTypes

extension TimeCode {
    /// A time code as people and tags write it: 01:00:00:00, with anything but a colon before the frames where numbers are left out.
    ///
    /// - Parameter rate: of the frames, in frames a second. Drop frame is known at 30000/1001 and its multiples alone (SMPTE ST 12-1).
    /// - Returns: nil for any other text, and where the rate is none that time codes count by.
    package init?(_ text: String, rate: Fraction) {
        let numbers = text.split { !$0.isASCII || !$0.isNumber }.map { UInt32($0) }
        let separators = text.filter { !$0.isASCII || !$0.isNumber }
        guard numbers.count == 4, separators.count == 3, separators.hasPrefix("::"), let standard = Self.standard(rate),
            let hours = numbers[0], let minutes = numbers[1], let seconds = numbers[2], let frames = numbers[3]
        else { return nil }
        let (numerator, denominator) = standard
        let isDropFrame = separators.last != ":" && denominator == 1001 && numerator % 30_000 == 0
        self.init(
            hours: hours, minutes: minutes, seconds: seconds, frames: frames, rateNumerator: numerator,
            rateDenominator: denominator, isDropFrame: isDropFrame)
    }
}
