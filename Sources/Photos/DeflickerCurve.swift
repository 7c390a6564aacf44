import Foundation

/// How much brighter or darker each of many frames has to become so that their light changes smoothly.
///
/// Light is compared in its logarithm, as exposures differ by factors. What stands out of its neighbors, as a frame with a flash
/// or one that a bird fills, is no measure for them: the median of nine counts in its place. The rest is smoothed by curves that
/// fit the neighborhood of each frame best, near ones counting more (a Gaussian): a sunrise stays as steep as it is, also at both ends.
package struct DeflickerCurve: Sendable {
    /// By how much the light of each frame is to be multiplied.
    package let gains: [Double]

    /// - Parameters:
    ///   - lights: the mean linear light of each frame, above 0; nil where it is not known.
    ///   - width: the standard deviation of the Gaussian, in frames.
    package init(_ lights: [Double?], width: Double = 30) {
        let logarithms = LightOutliers.logarithms(lights)
        let cleaned = Self.withoutOutliers(logarithms)
        gains = logarithms.indices.map { index in
            guard let own = logarithms[index], let smooth = Self.smooth(cleaned, at: index, width) else { return 1 }
            // More than two stops are no flicker.
            return pow(2, min(max(smooth - own, -2), 2))
        }
    }

    private static func withoutOutliers(_ values: [Double?]) -> [Double?] {
        values.indices.map { index in
            guard let value = values[index], let median = LightOutliers.median(of: values, at: index) else {
                return values[index]
            }
            return abs(value - median) > LightOutliers.least ? median : value
        }
    }

    /// Where the curve that fits best around a place lies there: a parabola, and near an end, where one would follow every error, a
    /// line; nil where nothing is known.
    private static func smooth(_ values: [Double?], at place: Int, _ width: Double) -> Double? {
        let reach = Int((3 * width).rounded(.up))
        // Sums of weights times distances to the power of 0 to 4, and of these times values.
        var (x, y) = ([Double](repeating: 0, count: 5), [Double](repeating: 0, count: 3))
        for index in max(0, place - reach)...min(values.count - 1, place + reach) {
            guard let value = values[index] else { continue }
            let distance = Double(index - place) / width
            var power = exp(-distance * distance / 2)
            for exponent in 0..<5 {
                x[exponent] += power
                if exponent < 3 { y[exponent] += power * value }
                power *= distance
            }
        }
        guard x[0] > 0 else { return nil }
        let spread = x[0] * x[2] - x[1] * x[1]
        guard spread > 1e-9 * x[0] * x[0] else { return y[0] / x[0] }
        let line = (y[0] * x[2] - x[1] * y[1]) / spread
        let share = min(1, Double(min(place, values.count - 1 - place)) / width)
        // Cramer's rule.
        let minor = (x[2] * x[4] - x[3] * x[3], x[1] * x[4] - x[2] * x[3], x[1] * x[3] - x[2] * x[2])
        let determinant = x[0] * minor.0 - x[1] * minor.1 + x[2] * minor.2
        guard share > 0, determinant > 1e-9 * x[0] * x[0] * x[0] else { return line }
        let parabola = (y[0] * minor.0 - y[1] * minor.1 + y[2] * minor.2) / determinant
        return share * parabola + (1 - share) * line
    }
}
