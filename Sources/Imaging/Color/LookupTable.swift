/// What colors become of colors: curves of red, green and blue, a cube of all three, or a cube behind curves.
///
/// Read from `.cube` files (Adobe's Cube LUT Specification 1.0 and what DaVinci Resolve writes beyond it). Colors are code values
/// from 0 to 1: not linear, as on a screen.
package struct LookupTable: Sendable {
    let curves: LookupGrid?
    let cube: LookupGrid?

    /// The color that stands for another, each from 0 to 1; colors outside of the table's domain are those at its edge.
    package func color(red: Float, green: Float, blue: Float) -> (red: Float, green: Float, blue: Float) {
        withExtendedLifetime(self) {
            let color = LookupReader(self).mapped(SIMD4(red, green, blue, 0))
            return (color.x, color.y, color.z)
        }
    }
}

/// What is looked up in a ``LookupTable``; good as long as that is.
struct LookupReader: ColorChange {
    private let curves: LookupCells?
    private let cube: LookupCells?
    /// Whether what comes out may be no color, as the table itself has some that are none.
    private let isCut: Bool

    init(_ table: LookupTable) {
        (curves, cube) = (table.curves?.cells, table.cube?.cells)
        isCut = (table.cube ?? table.curves)?.leavesColors ?? true
    }

    @inline(__always) func mapped(_ color: SIMD4<Float>) -> SIMD4<Float> {
        var color = color
        if let curves { color = curves.curved(color) }
        if let cube { color = cube.mapped(color) }
        guard isCut else { return color }
        let (black, white) = (SIMD4<Float>.zero, SIMD4<Float>(repeating: 1))
        color.replace(with: black, where: color .< black)
        color.replace(with: white, where: color .> white)
        return color
    }
}
