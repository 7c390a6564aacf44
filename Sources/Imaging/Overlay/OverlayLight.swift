import Foundation

/// What the values of a frame say of light, as far as colors of a screen that are drawn into it look different: their white
/// would be the brightest that a display can show.
package enum OverlayLight: Sendable, Hashable {
    /// As a screen's: nothing is changed.
    case standard
    /// PQ and HLG, with the primaries of BT.2020: white has the light of graphics in HDR, 203 cd/m² (ITU-R BT.2408).
    case pq, hlg

    /// A color of a screen (BT.709) as the frame has it.
    package func color(_ color: FrameColor) -> FrameColor {
        guard self != .standard else { return color }
        let linear = [color.red, color.green, color.blue].map { pow(min(max($0, 0), 1), 2.4) }
        // BT.2087, section 2.
        let wide = [
            [0.6274, 0.3293, 0.0433], [0.0691, 0.9195, 0.0114], [0.0164, 0.0880, 0.8956],
        ].map { row in encoded(zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 }) }
        return FrameColor(red: wide[0], green: wide[1], blue: wide[2])
    }

    /// BT.2100, tables 4 and 5.
    ///
    /// - Parameter light: of white, from 0 to 1.
    private func encoded(_ light: Double) -> Double {
        if self == .pq {
            let power = pow(light * Self.white / 10_000, 0.1593017578125)
            return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
        }
        // On a display of 1000 cd/m², whose gamma is 1.2.
        let scene = pow(light * Self.white / 1000, 1 / 1.2)
        return scene <= 1.0 / 12 ? sqrt(3 * scene) : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
    }

    private static let white = 203.0
}
