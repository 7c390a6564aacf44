import Foundation

/// Where a recording begins in another one, by what both microphones recorded.
struct AudioAlignment: Sendable, Equatable {
    /// Seconds from the beginning of the first to that of the second; below zero if before.
    var offset: Double
    /// How long a second of the second recording is in the first.
    var scale = 1.0
    /// From 0 to 1: how much better this place is than the next best.
    var confidence: Double

    /// Seconds that have to lie over each other, at least; or half of the shorter one.
    private static let overlap = 10.0
    /// Where nothing is in common, the best of all places scores below this.
    private static let leastScore = 6.0
    private static let leastConfidence = 0.2

    /// `nil` where they have nothing in common, or nothing tells one place from another.
    init?(_ one: LoudnessCurve, _ other: LoudnessCurve) {
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
        let rough = best.lag * step
        let begin = max(0, rough)
        let end = min(one.energies.count, other.energies.count + rough)
        let window = min(end - begin, 20 * LoudnessCurve.rate)
        guard let first = Self.exact(one, other, begin..<begin + window, rough) else {
            offset = Double(best.lag) / 100
            return
        }
        offset = first / Double(LoudnessCurve.rate)
        let distance = end - begin - window
        // Over less than a minute no clock runs away by a frame.
        guard distance > 60 * LoudnessCurve.rate,
            let last = Self.exact(one, other, (end - window)..<end, Int(first.rounded()))
        else { return }
        let drift = (last - first) / Double(distance)
        // Cameras' clocks are some ten millionths off; what is more is another sound.
        guard abs(last - first) > 2, abs(drift) < 500e-6 else { return }
        scale = 1 / (1 - drift)
        // The first window's middle is where that offset holds.
        let middle = (Double(begin) + Double(window) / 2) / Double(LoudnessCurve.rate)
        offset = middle - (middle - offset) * scale
    }

    /// The place to a part of a thousandth of a second, by the numbers of one window.
    private static func exact(
        _ one: LoudnessCurve, _ other: LoudnessCurve, _ window: Range<Int>, _ rough: Int
    ) -> Double? {
        let reach = 60
        func part(_ curve: LoudnessCurve, _ range: Range<Int>) -> [Float] {
            let values = range.map { curve.energies.indices.contains($0) ? curve.energies[$0].squareRoot() : 0 }
            let mean = values.reduce(0, +) / Float(max(1, values.count))
            return values.map { $0 - mean }
        }
        let mine = part(one, window)
        let theirs = part(other, (window.lowerBound - rough - reach)..<(window.upperBound - rough + reach))
        let sums = (0...2 * reach).map { shift in
            var sum = 0.0
            for index in mine.indices { sum += Double(mine[index]) * Double(theirs[index + shift]) }
            return sum
        }
        guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }), best > 0, best < 2 * reach else { return nil }
        // Between its neighbours the curve is a parabola.
        let (before, top, after) = (sums[best - 1], sums[best], sums[best + 1])
        let bend = before - 2 * top + after
        let part = bend < 0 ? (before - after) / (2 * bend) : 0
        return Double(rough + reach - best) - part
    }
}
