/// How much of each pixel of a rectangle something covers, from 0 to 1.
///
/// Rows that are alike are kept once: of a rounded rectangle all between its corners are.
struct Coverage {
    let width: Int
    let height: Int
    /// The rows that are alike; may be none.
    let uniform: Range<Int>
    /// Of the rows that are kept.
    private(set) var values: [Float]

    /// - Parameter fill: Writes a row; all of `uniform` are written by its first.
    init(
        width: Int, height: Int, uniform: Range<Int>,
        fill: (_ row: Int, inout UnsafeMutableBufferPointer<Float>) -> Void
    ) {
        (self.width, self.height) = (width, height)
        self.uniform = uniform.isEmpty ? 0..<0 : uniform
        let kept = height - max(self.uniform.count - 1, 0)
        values = [Float](repeating: 0, count: kept * width)
        let same = self.uniform
        values.withUnsafeMutableBufferPointer { all in
            for index in 0..<kept {
                var row = UnsafeMutableBufferPointer(rebasing: all[index * width..<(index + 1) * width])
                fill(index <= same.lowerBound || same.isEmpty ? index : index + same.count - 1, &row)
            }
        }
    }

    func withRow<Result>(_ row: Int, _ body: (UnsafeBufferPointer<Float>) -> Result) -> Result {
        let begin = uniform.kept(row) * width
        return values.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[begin..<begin + width])) }
    }

    /// The mean of the four pixels that each sample of chroma stands for; beyond the rectangle nothing is covered.
    func chroma(_ grid: SampleGrid) -> Coverage {
        let (oddX, oddY) = (grid.isOddX ? 1 : 0, grid.isOddY ? 1 : 0)
        // Those both of whose rows are alike.
        let low = (uniform.lowerBound + oddY + 1) / 2
        let high = (uniform.upperBound + oddY) / 2
        return Coverage(
            width: grid.chromaWidth, height: grid.chromaHeight,
            uniform: !uniform.isEmpty && low < high ? low..<high : 0..<0
        ) { row, target in
            let first = 2 * row - oddY
            // Below the target's last row there is none: that one counts twice.
            for luma in [first, grid.endsY ? min(first + 1, height - 1) : first + 1] where luma >= 0 && luma < height {
                withRow(luma) { source in
                    for x in 0..<source.count { target[(x + oddX) / 2] += source[x] / 4 }
                    if grid.endsX, let last = source.last { target[target.count - 1] += last / 4 }
                }
            }
        }
    }

    /// What a function makes of two coverages of the same sizes and alike rows.
    func combined(_ other: Coverage, _ transform: (Float, Float) -> Float) -> Coverage {
        var result = self
        for index in values.indices { result.values[index] = transform(values[index], other.values[index]) }
        return result
    }
}

extension Range<Int> {
    /// Where a row is kept, if of those in the range the first one stands for all.
    func kept(_ row: Int) -> Int {
        if isEmpty || row <= lowerBound { return row }
        return row < upperBound ? lowerBound : row - count + 1
    }
}

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
