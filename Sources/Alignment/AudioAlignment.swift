/// Where a recording begins in another one, by what both microphones recorded.
package struct AudioAlignment: Sendable, Equatable {
    /// Seconds from the beginning of the first to that of the second; below zero if before.
    package var offset: Double
    /// How long a second of the second recording is in the first.
    package var scale = 1.0
    /// From 0 to 1: how much better this place is than the next best.
    package var confidence: Double
    /// Whether ``offset`` is known to a thousandth of a second; else to a hundredth.
    package var isExact = false

    /// Seconds that have to lie over each other, at least; or half of the shorter one.
    private static let overlap = 10.0
    /// Where nothing is in common, the best of all places scores below this.
    private static let leastScore = 6.0
    private static let leastConfidence = 0.2
    /// Thousandths of a second between the first and the last match from which clocks are compared: over less than a minute none
    /// runs away by a frame, and what is measured would be the error of the two places.
    private static let leastSpan = 60 * Double(LoudnessCurve.rate)
    /// Cameras' clocks are some ten millionths off; what is more is another sound.
    private static let mostDrift = 500e-6

    /// `nil` where they have nothing in common, or nothing tells one place from another.
    package init?(_ one: LoudnessCurve, _ other: LoudnessCurve) {
        // A hundredth of a second finds the place, a thousandth the frame.
        let step = LoudnessCurve.rate / 100
        let (a, b) = (one.changes(every: step), other.changes(every: step))
        let overlap = Int(min(Self.overlap * 100, Double(min(a.count, b.count)) / 2))
        guard overlap > 100, let (best, second) = CrossCorrelation(a, b, overlap: overlap).peaks(apart: 30) else {
            return nil
        }
        confidence = max(0, min(1, 1 - second.score / best.score))
        // Sounds go on for some hundredths of a second: a fifth of the numbers are independent.
        guard best.score / 5.0.squareRoot() > Self.leastScore, confidence > Self.leastConfidence else { return nil }
        offset = Double(best.lag) / 100
        let matches = WindowMatch.matches(one, other, lag: best.lag * step)
        guard let first = matches.first, let last = matches.last else { return }
        isExact = true
        let span = last.middle - first.middle
        var drift = span > Self.leastSpan ? Self.drift(of: matches) : 0
        if abs(drift) * span <= 2 || abs(drift) >= Self.mostDrift { drift = 0 }
        scale = 1 / (1 - drift)
        offset = Self.median(matches.map { $0.lag - drift * $0.middle }) / Double(LoudnessCurve.rate) * scale
    }

    /// How much the lag grows with the place: the median of what each two matches say, so that a wrong one among them changes nothing.
    private static func drift(of matches: [WindowMatch]) -> Double {
        median(
            matches.indices.flatMap { index in
                matches[(index + 1)...].map { ($0.lag - matches[index].lag) / ($0.middle - matches[index].middle) }
            })
    }

    private static func median(_ numbers: [Double]) -> Double {
        let sorted = numbers.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
