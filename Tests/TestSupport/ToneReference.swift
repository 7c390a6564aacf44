import Foundation

/// HDR as SDR by the standards' formulas, in double precision, a pixel at a time: what tables of it are measured by.
public struct ToneReference: Sendable {
    public var isHLG: Bool
    /// In candela a square metre.
    public var peak: Double

    public init(isHLG: Bool, peak: Double = 1000) { (self.isHLG, self.peak) = (isHLG, peak) }

    private static let white = 203.0

    /// - Parameters:
    ///   - y: luma of BT.2020, from 0 to 1.
    ///   - u: from -0.5 to 0.5; likewise v.
    /// - Returns: luma and chroma of BT.709 in the same ranges.
    public func converted(_ y: Double, _ u: Double, _ v: Double) -> [Double] {
        let (red, blue) = (y + 1.4746 * v, y + 1.8814 * u)
        let green = (y - 0.2627 * red - 0.0593 * blue) / 0.6780
        var light = [red, green, blue].map { shown(min(max($0, 0), 1)) }
        if isHLG {
            let luminance = 0.2627 * light[0] + 0.6780 * light[1] + 0.0593 * light[2]
            light = light.map { 1000 * pow(luminance, 0.2) * $0 }
        }
        let most = light.max() ?? 0
        let gain = most > 0 ? bent(most) / most : 1
        let bright = light.map { $0 * gain / Self.white }
        // ITU-R BT.2407, section 2, with more digits: at the edge of what is left small differences matter.
        let colors = [
            [1.660491002, -0.587641139, -0.072849863], [-0.124550475, 1.132899897, -0.008349423],
            [-0.018150763, -0.100578898, 1.118729661],
        ].map { row in pow(min(max(zip(row, bright).reduce(0) { $0 + $1.0 * $1.1 }, 0), 1), 1 / 2.4) }
        let luma = 0.2126 * colors[0] + 0.7152 * colors[1] + 0.0722 * colors[2]
        return [luma, (colors[2] - luma) / 1.8556, (colors[0] - luma) / 1.5748]
    }

    /// PQ's light as it is shown, HLG's of the scene.
    private func shown(_ value: Double) -> Double {
        guard isHLG else { return Self.light(pq: value) }
        return value <= 0.5 ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }

    private func bent(_ light: Double) -> Double {
        let whole = Self.pq(light: peak)
        let (value, most) = (min(Self.pq(light: light) / whole, 1), Self.pq(light: Self.white) / whole)
        let knee = 1.5 * most - 0.5
        guard value >= knee, knee < 1 else { return light }
        let t = (value - knee) / (1 - knee)
        let curve =
            (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
            + (3 * t * t - 2 * t * t * t) * most
        return Self.light(pq: curve * whole)
    }

    private static let (m1, m2, c1, c2, c3) = (2610.0 / 16384, 2523.0 / 32, 3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)

    private static func light(pq value: Double) -> Double {
        let power = pow(value, 1 / m2)
        return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }

    private static func pq(light: Double) -> Double {
        let power = pow(light / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }
}
