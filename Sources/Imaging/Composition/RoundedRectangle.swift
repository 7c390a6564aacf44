/// A rectangle with round corners, antialiased.
struct RoundedRectangle {
    let width: Int
    let height: Int
    let radius: Double
    /// How far within the rectangle of the coverage this one lies, on all sides.
    let inset: Double

    /// Of the rectangle without inset.
    func coverage(uniform: Range<Int>) -> Coverage {
        let corner = cornerTable()
        let reach = corner.size
        return Coverage(width: width, height: height, uniform: uniform) { row, target in
            let vertical = min(row, height - 1 - row)
            let side = sideCoverage(vertical, of: height)
            for x in 0..<width {
                let horizontal = min(x, width - 1 - x)
                target[x] =
                    horizontal < reach && vertical < reach
                    ? corner.values[vertical * reach + horizontal] : side * sideCoverage(horizontal, of: width)
            }
        }
    }

    /// Of a pixel so many pixels from the nearest side, far from corners.
    private func sideCoverage(_ distance: Int, of length: Int) -> Float {
        Float(min(max(Double(distance) + 1 - inset, 0), 1))
    }

    /// Of the pixels around a corner: 16 × 16 points of each that the edge may cross.
    private func cornerTable() -> (size: Int, values: [Float]) {
        let size = min(Int((radius + inset).rounded(.up)), (min(width, height) + 1) / 2)
        let center = radius + inset
        var values = [Float](repeating: 0, count: size * size)
        for y in 0..<size {
            for x in 0...y {
                let (dx, dy) = (center - (Double(x) + 0.5), center - (Double(y) + 0.5))
                let distance = (max(dx, 0) * max(dx, 0) + max(dy, 0) * max(dy, 0)).squareRoot()
                let isFarFromSides = min(Double(x), Double(y)) >= inset
                let value: Float
                if distance < radius - 1, isFarFromSides {
                    value = 1
                } else if distance > radius + 1 {
                    value = 0
                } else {
                    value = Float(sampled(x, y, center))
                }
                values[y * size + x] = value
                values[x * size + y] = value
            }
        }
        return (size, values)
    }

    private func sampled(_ x: Int, _ y: Int, _ center: Double) -> Double {
        var inside = 0
        for row in 0..<16 {
            for column in 0..<16 {
                let px = Double(x) + (Double(column) + 0.5) / 16
                let py = Double(y) + (Double(row) + 0.5) / 16
                let (dx, dy) = (max(center - px, 0), max(center - py, 0))
                if px >= inset, py >= inset, dx * dx + dy * dy <= radius * radius { inside += 1 }
            }
        }
        return Double(inside) / 256
    }
}
