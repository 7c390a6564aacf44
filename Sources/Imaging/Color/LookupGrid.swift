/// Colors at the points of a grid: the knots of three curves, or the corners of a cube's cells.
///
/// `@unchecked Sendable` because its memory is written before anybody else has it, and never again.
package final class LookupGrid: @unchecked Sendable {
    /// What is looked up in; good as long as this is.
    let cells: LookupCells
    /// Whether a point is below 0 or above 1.
    let leavesColors: Bool

    /// - Parameters:
    ///   - size: points along each edge, at least 2.
    ///   - domain: the colors of the first and the last point of each edge, the latter larger.
    ///   - points: of curves `size`, red, green and blue beside each other; of a cube its third power, red changing first.
    init(size: Int, domain: (lower: SIMD4<Float>, upper: SIMD4<Float>), points: [SIMD4<Float>]) {
        let memory = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: points.count)
        memory.initialize(from: points, count: points.count)
        leavesColors = points.contains { point in (0..<3).contains { !(0...1).contains(point[$0]) } }
        cells = LookupCells(size: size, domain: domain, points: memory)
    }

    deinit { cells.points.deallocate() }
}

/// The way between the points of a ``LookupGrid``. It keeps nothing alive, so that nothing is counted for each pixel.
struct LookupCells {
    /// Points along each edge.
    private let size: Int
    /// From colors to places in the grid.
    private let (gain, offset): (SIMD4<Float>, SIMD4<Float>)
    /// The last place, a little before its end, so that each place lies in a cell.
    private let last: SIMD4<Float>
    fileprivate let points: UnsafePointer<SIMD4<Float>>

    /// 2^23: what is added to it and below loses its fraction.
    private static var whole: SIMD4<Float> { SIMD4(repeating: 8_388_608) }

    fileprivate init(
        size: Int, domain: (lower: SIMD4<Float>, upper: SIMD4<Float>), points: UnsafePointer<SIMD4<Float>>
    ) {
        self.size = size
        var (lower, upper) = domain
        (lower.w, upper.w) = (0, 1)
        gain = Float(size - 1) / (upper - lower)
        offset = -lower * gain
        last = SIMD4(repeating: Float(size - 1).nextDown)
        self.points = points
    }

    /// The cell of a color, and how far in it the color lies, from 0 to 1.
    @inline(__always) private func place(_ color: SIMD4<Float>) -> (cell: SIMD4<UInt32>, rest: SIMD4<Float>) {
        var place = color * gain + offset
        // What is not a number is not in the table either.
        place.replace(with: SIMD4<Float>.zero, where: .!(place .>= SIMD4<Float>.zero))
        place.replace(with: last, where: place .> last)
        let shifted = place + Self.whole
        var cell = unsafeBitCast(shifted, to: SIMD4<UInt32>.self) & 0x7F_FFFF
        var rest = place - (shifted - Self.whole)
        // It was rounded to the nearest.
        let isAbove = rest .< SIMD4<Float>.zero
        cell.replace(with: cell &- 1, where: isAbove)
        rest.replace(with: rest + 1, where: isAbove)
        return (cell, rest)
    }

    /// The color on three curves, by straight lines between the points.
    @inline(__always) func curved(_ color: SIMD4<Float>) -> SIMD4<Float> {
        let (cell, rest) = place(color)
        let (r, g, b) = (Int(cell.x), Int(cell.y), Int(cell.z))
        let lower = SIMD4(points[r].x, points[g].y, points[b].z, 0)
        let upper = SIMD4(points[r + 1].x, points[g + 1].y, points[b + 1].z, 0)
        return lower + (upper - lower) * rest
    }

    /// The color in a cube, by tetrahedral interpolation: between the corners of that of the six tetrahedra around the diagonal of a
    /// cell that the color lies in (Kasson, Plouffe and Nin, 1993).
    @inline(__always) func mapped(_ color: SIMD4<Float>) -> SIMD4<Float> {
        let (cell, rest) = place(color)
        let (stepG, stepB) = (size, size &* size)
        let begin = points + (Int(cell.x) &+ Int(cell.y) &* stepG &+ Int(cell.z) &* stepB)
        let (r, g, b) = (rest.x, rest.y, rest.z)
        let (isRG, isRB, isGB) = (r >= g, r >= b, g >= b)
        // From the cell's first corner to its last along three edges, the one along which the color lies farthest first.
        let first = isRG ? (isRB ? 1 : stepB) : (isGB ? stepG : stepB)
        let third = isRG ? (isGB ? stepB : stepG) : (isRB ? stepB : 1)
        let (small, large) = (isRG ? g : r, isRG ? r : g)
        let (longest, shortest) = (large > b ? large : b, small < b ? small : b)
        let middle = large > b ? (small > b ? small : b) : large
        let all = 1 &+ stepG &+ stepB
        return begin[0] * (1 - longest) + begin[first] * (longest - middle) + begin[all &- third] * (middle - shortest)
            + begin[all] * shortest
    }
}
