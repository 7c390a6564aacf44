import Foundation

/// What of an inset covers the frame behind it, computed once for each size and shape.
final class InsetMask {
    /// What masks depend on.
    struct Key: Hashable {
        let grid: SampleGrid
        let cornerRadius: Double
        let borderWidth: Double
        let shadowRadius: Double
        let opacity: Double
    }

    /// The inset with its border; nil where it hides all behind it.
    private(set) var shape: AlphaPlanes?
    /// The border's part of the inset; nil without a border.
    private(set) var border: AlphaPlanes?
    /// The shadow beside the inset; nil without one.
    private(set) var shadow: Shadow?

    /// Black that is drawn around the inset before it.
    struct Shadow {
        let alpha: AlphaPlanes
        let grid: SampleGrid
        /// How far its rectangle begins left of the inset's, and above.
        let left: Int
        let top: Int
    }

    init(_ key: Key) {
        let grid = key.grid
        let (width, height) = (grid.width, grid.height)
        let reach = min(Int(max(key.cornerRadius, key.borderWidth).rounded(.up)), (height + 1) / 2)
        let uniform = reach..<max(reach, height - reach)
        let outer = RoundedRectangle(width: width, height: height, radius: key.cornerRadius, inset: 0)
            .coverage(uniform: uniform)
        let opacity = Float(key.opacity)
        if key.cornerRadius > 0 || key.opacity < 1 || grid.sharesChroma {
            shape = AlphaPlanes(outer, grid, opacity: opacity)
        }
        if key.borderWidth > 0 {
            let inner = RoundedRectangle(
                width: width, height: height, radius: max(key.cornerRadius - key.borderWidth, 0), inset: key.borderWidth
            ).coverage(uniform: uniform)
            let ring = outer.combined(inner) { max($0 - $1, 0) }
            // Of what the inset covers of a pixel, as that is what the mask of the whole takes afterwards.
            func share(_ ring: Float, _ all: Float) -> Float { all > 0 ? min(ring / all, 1) : 0 }
            border = AlphaPlanes(
                y: AlphaPlane(ring.combined(outer, share)),
                chroma: AlphaPlane(ring.chroma(grid).combined(outer.chroma(grid), share)))
        }
        if key.shadowRadius > 0 { shadow = Self.shadow(key, outer) }
    }

    /// The integral of a normal distribution over the distance from the inset's edge, which is what blurring an edge gives; a
    /// little lower than the inset, as by light from above.
    private static func shadow(_ key: Key, _ outer: Coverage) -> Shadow {
        let (grid, reach) = (key.grid, Int(key.shadowRadius.rounded(.up)))
        let drop = key.shadowRadius / 4
        let (deviation, strength) = (key.shadowRadius / 2.5, 0.5)
        let (width, height) = (grid.width + 2 * reach, grid.height + 3 * reach / 2)
        let (left, top) = (reach, reach / 2)
        let around = SampleGrid(around: grid, left: left, top: top, width: width, height: height)
        let radius = max(key.cornerRadius, deviation)
        let (halfWidth, halfHeight) = (Double(grid.width) / 2, Double(grid.height) / 2)
        let bend = min(radius, halfWidth, halfHeight)
        // Rows whose corners are far enough away.
        let far = Int((bend + drop).rounded(.up)) + reach
        let uniform = top + far..<max(top + far, top + grid.height - far)
        let isUniform = !uniform.isEmpty
        let opacity = Float(key.opacity)
        func factor(_ row: Int, _ column: Int, _ covered: Float) -> Float {
            guard covered < 1 else { return 1 - opacity }
            let dx = abs(Double(column - left) + 0.5 - halfWidth) - halfWidth + bend
            let dy = abs(Double(row - top) + 0.5 - drop - halfHeight) - halfHeight + bend
            let outside = (max(dx, 0) * max(dx, 0) + max(dy, 0) * max(dy, 0)).squareRoot()
            let distance = outside + min(max(dx, dy), 0) - bend
            // It ends where the rectangle does.
            guard distance < key.shadowRadius else { return 1 - opacity * covered }
            let shade = strength * 0.5 * erfc(distance / (deviation * 2.0.squareRoot()))
            return 1 - opacity * covered - opacity * Float(shade) * (1 - covered)
        }
        // What remains of the frame behind, with the inset and without; what lies between the two is the shadow's.
        let rows = isUniform ? uniform : 0..<0
        let remaining = Coverage(width: width, height: height, uniform: rows) { row, target in
            shapeRow(outer, row - top, left, width) { column, covered in
                target[column] = 1 - factor(row, column, covered)
            }
        }
        let shape = Coverage(width: width, height: height, uniform: rows) { row, target in
            shapeRow(outer, row - top, left, width) { column, covered in target[column] = opacity * covered }
        }
        func shade(_ all: Float, _ shape: Float) -> Float {
            shape < 1 ? min(max((all - shape) / (1 - shape), 0), 1) : 0
        }
        let alpha = AlphaPlanes(
            y: AlphaPlane(remaining.combined(shape, shade)),
            chroma: AlphaPlane(remaining.chroma(around).combined(shape.chroma(around), shade)))
        return Shadow(alpha: alpha, grid: around, left: left, top: top)
    }

    private static func shapeRow(
        _ outer: Coverage, _ row: Int, _ left: Int, _ width: Int, _ body: (Int, Float) -> Void
    ) {
        guard row >= 0, row < outer.height else {
            for column in 0..<width { body(column, 0) }
            return
        }
        outer.withRow(row) { covered in
            for column in 0..<width {
                let x = column - left
                body(column, x >= 0 && x < covered.count ? covered[x] : 0)
            }
        }
    }
}
