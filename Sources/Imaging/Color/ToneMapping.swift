import Foundation

/// How the light of HDR becomes that of SDR: graphics white, 203 cd/m² (ITU-R BT.2408), is the brightest that is left, what is darker
/// keeps its light up to the knee of ITU-R BT.2390's curve, and brighter light is bent towards white.
///
/// The curve is that of the largest of red, green and blue, whose proportions stay, so highlights keep their hue.
package struct ToneMapping: Sendable, Hashable {
    /// What the values say of light (ITU-R BT.2100).
    package enum Transfer: Sendable, Hashable { case pq, hlg }

    package var transfer: Transfer
    package var primaries: ColorPrimaries
    /// The brightest light of the video, in candela a square metre; from ``white`` to 10,000.
    package let peak: Double

    /// Graphics white, in candela a square metre.
    package static let white = 203.0
    /// That of a display of HDR where nobody says otherwise, and of HLG's nominal one.
    package static let usualPeak = 1000.0

    /// - Parameter peak: of PQ, where it is known; HLG fits any display, and is shown as on one of ``usualPeak``.
    package init(_ transfer: Transfer, _ primaries: ColorPrimaries, peak: Double? = nil) {
        (self.transfer, self.primaries) = (transfer, primaries)
        let told = transfer == .pq ? peak ?? Self.usualPeak : Self.usualPeak
        self.peak = min(max(told, Self.white), 10_000)
    }

    /// The light of a value from 0 to 1, where that of ``white`` is 1: of PQ, as it is shown; of HLG the scene's, from 0 to 1
    /// (BT.2100, tables 4 and 5).
    func light(_ value: Double) -> Double {
        switch transfer {
        case .pq: Self.shown(pq: value) / Self.white
        case .hlg: value <= 0.5 ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
        }
    }

    /// What all of HLG's red, green and blue are multiplied by to be shown: the display's gamma is 1.2.
    ///
    /// - Parameter luminance: of the scene, from 0 to 1.
    func displayGain(_ luminance: Double) -> Double { Self.usualPeak / Self.white * pow(luminance, 0.2) }

    /// What light is multiplied by (BT.2390-10, section 5.4.1, between displays that are as dark as black).
    ///
    /// - Parameter light: where that of ``white`` is 1.
    func gain(_ light: Double) -> Double {
        guard light > 0 else { return 1 }
        let whole = Self.pq(shown: peak)
        let highest = Self.pq(shown: Self.white) / whole
        let knee = 1.5 * highest - 0.5
        let value = min(Self.pq(shown: light * Self.white) / whole, 1)
        guard value > knee, knee < 1 else { return 1 }
        let t = (value - knee) / (1 - knee)
        let (square, cube) = (t * t, t * t * t)
        let bent =
            (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee) + (3 * square - 2 * cube)
            * highest
        return Self.shown(pq: bent * whole) / Self.white / light
    }

    /// Below this nothing is bent; where that of ``white`` is 1.
    var knee: Double {
        let whole = Self.pq(shown: peak)
        return Self.shown(pq: min(1.5 * Self.pq(shown: Self.white) - 0.5 * whole, whole)) / Self.white
    }

    /// The value of light on a screen (ITU-R BT.1886, whose black is none).
    static func value(_ light: Double) -> Double { pow(light, 1 / 2.4) }

    /// SMPTE ST 2084: candela a square metre.
    private static func shown(pq value: Double) -> Double {
        let power = pow(value, 1 / 78.84375)
        return 10_000 * pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
    }

    private static func pq(shown light: Double) -> Double {
        let power = pow(light / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }
}
