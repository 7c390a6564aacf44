/// Which red, green and blue colors are mixed of; white is D65.
package enum ColorPrimaries: Sendable, Hashable {
    /// High definition video and screens.
    case bt709
    /// What HDR is stored in.
    case bt2020
    /// What most displays of HDR show (SMPTE EG 432-1).
    case displayP3

    /// Red, green, blue and white in CIE 1931's diagram.
    private var places: [(x: Double, y: Double)] {
        let colors =
            switch self {
            case .bt709: [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]
            case .bt2020: [(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)]
            case .displayP3: [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]
            }
        return colors + [(0.3127, 0.3290)]
    }

    /// X, Y and Z of red, of green and of blue (SMPTE RP 177).
    private var columns: [SIMD3<Double>] {
        let places = places.map { SIMD3($0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y) }
        let colors = Array(places.prefix(3))
        let parts = Self.solved(colors, places[3])
        return (0..<3).map { colors[$0] * parts[$0] }
    }

    /// The weights of red, green and blue in luminance.
    var luminance: SIMD3<Double> {
        let columns = columns
        return SIMD3(columns[0].y, columns[1].y, columns[2].y)
    }

    /// How much red, green and blue of others a unit of red, of green and of blue is, all linear.
    func columns(in others: ColorPrimaries) -> [SIMD3<Double>] {
        let base = others.columns
        return columns.map { Self.solved(base, $0) }
    }

    /// How much of each of three vectors makes another one: Cramer's rule.
    private static func solved(_ columns: [SIMD3<Double>], _ sum: SIMD3<Double>) -> SIMD3<Double> {
        func determinant(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
            a.x * (b.y * c.z - b.z * c.y) - b.x * (a.y * c.z - a.z * c.y) + c.x * (a.y * b.z - a.z * b.y)
        }
        let (a, b, c) = (columns[0], columns[1], columns[2])
        return SIMD3(determinant(sum, b, c), determinant(a, sum, c), determinant(a, b, sum)) / determinant(a, b, c)
    }
}
