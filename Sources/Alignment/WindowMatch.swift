/// Where some seconds of one recording lie in another, to a part of a thousandth of a second; where both hold the same sounds at all.
///
/// What is quiet in both is each microphone's own noise, of which one place is as good as another: no match.
struct WindowMatch: Sendable, Equatable {
    /// The window's middle in the first recording, in thousandths of a second.
    let middle: Double
    /// By how much what is there comes later in the first recording than in the second, in thousandths of a second.
    let lag: Double
    /// Of the loudness of each thousandth, at most 1.
    let correlation: Double

    /// Thousandths in a window.
    private static let length = 20 * LoudnessCurve.rate
    /// How many windows are compared at most, however long the recordings are.
    private static let count = 60
    /// How far the exact lag may be from the one that was expected.
    private static let reach = 60
    /// Noises that have nothing in common correlate to below 0.05 wherever they are laid over each other.
    private static let leastCorrelation = 0.3
    /// A hum agrees with itself again after each period, and not in between; the peak of speech is as broad as its syllables.
    private static let (mostOfSecond, leastOfValley) = (0.95, 0.8)

    /// The windows that match, in order.
    ///
    /// They are followed from the best one on, each from where its neighbour lies: over hours, clocks run away by more than is searched.
    ///
    /// - Parameter lag: the place, roughly.
    static func matches(_ one: LoudnessCurve, _ other: LoudnessCurve, lag: Int) -> [Self] {
        let windows = windows(of: max(0, lag)..<min(one.energies.count, other.energies.count + lag))
        let rough = windows.map { Self(one, other, $0, lag: lag) }
        let best = rough.indices.filter { rough[$0] != nil }
            .max { rough[$0]?.correlation ?? 0 < rough[$1]?.correlation ?? 0 }
        guard let best, let first = rough[best] else { return [] }
        func follow(_ indices: some Sequence<Int>) -> [Self] {
            var lag = first.lag
            return indices.compactMap { index in
                let match = Self(one, other, windows[index], lag: Int(lag.rounded()))
                lag = match?.lag ?? lag
                return match
            }
        }
        return follow((0..<best).reversed()).reversed() + [first] + follow((best + 1)..<windows.count)
    }

    /// Of what lies over each other, from its first to its last thousandth.
    private static func windows(of overlap: Range<Int>) -> [Range<Int>] {
        let length = min(overlap.count, Self.length)
        let last = overlap.upperBound - length
        let step = max(length, (overlap.count + count - 1) / count)
        guard length > 0 else { return [] }
        // The last one may begin before the one before it ends.
        let starts = Array(stride(from: overlap.lowerBound, to: last, by: step)) + [last]
        return starts.map { $0..<$0 + length }
    }

    /// `nil` where nothing in the window tells the place.
    private init?(_ one: LoudnessCurve, _ other: LoudnessCurve, _ window: Range<Int>, lag: Int) {
        let reach = Self.reach
        let mine = Self.amplitudes(one, window)
        let theirs = Self.amplitudes(other, (window.lowerBound - lag - reach)..<(window.upperBound - lag + reach))
        let energy = mine.reduce(0) { $0 + Double($1) * Double($1) }
        var squares = [0.0]
        for value in theirs { squares.append(squares[squares.count - 1] + Double(value) * Double(value)) }
        let correlations = (0...2 * reach).map { shift in
            var sum = 0.0
            for index in mine.indices { sum += Double(mine[index]) * Double(theirs[index + shift]) }
            let product = energy * (squares[shift + mine.count] - squares[shift])
            return product > 0 ? sum / product.squareRoot() : 0
        }
        func isPeak(_ shift: Int) -> Bool {
            correlations[shift] > correlations[shift - 1] && correlations[shift] >= correlations[shift + 1]
        }
        let peaks = (1..<2 * reach).filter(isPeak).sorted { correlations[$0] > correlations[$1] }
        guard let best = peaks.first, correlations[best] >= Self.leastCorrelation,
            // What is higher at an edge has its peak beyond it.
            correlations[best] >= max(correlations[0], correlations[2 * reach]),
            !peaks.dropFirst().contains(where: { Self.isApart($0, from: best, correlations) })
        else { return nil }
        // Between its neighbours the curve is a parabola.
        let (before, top, after) = (correlations[best - 1], correlations[best], correlations[best + 1])
        let bend = before - 2 * top + after
        let part = bend < 0 ? (before - after) / (2 * bend) : 0
        middle = Double(window.lowerBound + window.upperBound) / 2
        self.lag = Double(lag + reach - best) - part
        correlation = top
    }

    /// Whether another peak is as good as the best one.
    private static func isApart(_ peak: Int, from best: Int, _ correlations: [Double]) -> Bool {
        let valley = correlations[min(peak, best)...max(peak, best)].min() ?? 0
        return correlations[peak] > mostOfSecond * correlations[best] && valley < leastOfValley * correlations[best]
    }

    /// Without their mean; silence where there is no recording.
    private static func amplitudes(_ curve: LoudnessCurve, _ range: Range<Int>) -> [Float] {
        let values = range.map { curve.energies.indices.contains($0) ? curve.energies[$0].squareRoot() : 0 }
        let mean = values.reduce(0, +) / Float(max(1, values.count))
        return values.map { $0 - mean }
    }
}
