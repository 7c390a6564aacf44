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

    /// The mean of the four pixels that each sample of chroma stands for, or of two; beyond the rectangle nothing is covered.
    func chroma(_ grid: SampleGrid) -> Coverage {
        guard grid.hasHalfRows else { return chromaOfEachRow(grid) }
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

    private func chromaOfEachRow(_ grid: SampleGrid) -> Coverage {
        let odd = grid.isOddX ? 1 : 0
        return Coverage(width: grid.chromaWidth, height: height, uniform: uniform) { row, target in
            withRow(row) { source in
                for x in 0..<source.count { target[(x + odd) / 2] += source[x] / 2 }
                // Beyond the target's last column there is none: that one counts twice.
                if grid.endsX, let last = source.last { target[target.count - 1] += last / 2 }
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
