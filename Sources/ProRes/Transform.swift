/// Eight blocks of eight by eight samples at once: one vector holds the same place of each.
typealias Lanes = SIMD8<Float>

/// The forward cosine transform of eight blocks, in place.
///
/// Source: Y. Arai, T. Agui, M. Nakajima, "A fast DCT-SQ scheme for images", 1988: five multiplications for eight values,
/// as the rest is left to the quantiser: a coefficient comes out `8 · scale[v] · scale[u]` times too large.
enum Transform {
    static let scale: [Float] = [
        1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.541196100, 0.275899379,
    ]

    /// - Parameter block: 64 vectors, row by row.
    static func forward(_ block: UnsafeMutablePointer<Lanes>) {
        var index = 0
        while index < 8 {
            line(block + index * 8, 1)
            index &+= 1
        }
        index = 0
        while index < 8 {
            line(block + index, 8)
            index &+= 1
        }
    }

    @inline(__always)
    private static func line(_ data: UnsafeMutablePointer<Lanes>, _ step: Int) {
        let (a0, a1, a2, a3) = (data[0], data[step], data[2 &* step], data[3 &* step])
        let (a4, a5, a6, a7) = (data[4 &* step], data[5 &* step], data[6 &* step], data[7 &* step])
        let (sum07, sum16, sum25, sum34) = (a0 + a7, a1 + a6, a2 + a5, a3 + a4)
        let (difference07, difference16, difference25, difference34) = (a0 - a7, a1 - a6, a2 - a5, a3 - a4)

        let (outer, inner) = (sum07 + sum34, sum16 + sum25)
        let outerDifference = sum07 - sum34
        let turned = (sum16 - sum25 + outerDifference) * 0.707106781
        data[0] = outer + inner
        data[4 &* step] = outer - inner
        data[2 &* step] = outerDifference + turned
        data[6 &* step] = outerDifference - turned

        let (low, middle, high) = (
            difference34 + difference25, (difference25 + difference16) * 0.707106781, difference16 + difference07
        )
        let shared = (low - high) * 0.382683433
        let (lowTurned, highTurned) = (low * 0.541196100 + shared, high * 1.306562965 + shared)
        let (plus, minus) = (difference07 + middle, difference07 - middle)
        data[5 &* step] = minus + lowTurned
        data[3 &* step] = minus - lowTurned
        data[step] = plus + highTurned
        data[7 &* step] = plus - highTurned
    }
}
