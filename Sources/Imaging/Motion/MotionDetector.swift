/// Whether something moves before a camera, seen in small grids of its luma a few times a second. Pure.
///
/// Each cell has a running mean of its brightness and of how far it strays from that by itself (noise, leaves, water). A change counts where
/// it stands out of that. What all cells do together is no motion: a lamp, a cloud or the camera's own exposure changes them by one factor
/// and one offset, which are found by least squares, and by less near the light, which the median of each part of the frame takes away.
/// Where most of the frame changes all the same, the camera has moved or the light has, and the frame is learned anew.
package struct MotionDetector: Sendable {
    /// From 0 to 1: how small and how faint a motion counts.
    private let sensitivity: Float
    private var mean: [Float] = []
    private var deviation: [Float] = []
    private var shape = (columns: 0, rows: 0)
    /// Grids that were seen since the frame was learned anew.
    private var seen = 0
    /// Grids in a row in which something moved.
    private var moving = 0

    /// Grids before anything counts, as nothing is known of the noise before.
    private static let learning = 5
    /// Grids in a row that make a motion: one alone may be a flash or a fault.
    private static let lasting = 2
    /// More of the frame than this does not move at once.
    private static let most: Float = 0.5
    /// Cells of the parts whose median is taken away.
    private static let part = (columns: 20, rows: 15)

    package init(sensitivity: Double = 0.5) { self.sensitivity = Float(min(1, max(0, sensitivity))) }

    /// The least difference of a cell that counts, of 255, and how many cells next to each other.
    private var leastDifference: Float { 22 - 16 * sensitivity }
    private var leastCells: Int { max(2, Int(14 - 12 * sensitivity)) }

    /// - Returns: whether something moves in it.
    package mutating func see(_ grid: LumaGrid) -> Bool {
        guard shape == (grid.columns, grid.rows), mean.count == grid.cells.count else {
            learn(grid)
            return false
        }
        let light = fit(grid.cells)
        var difference = zip(grid.cells, mean).map { $0 - (light.factor * $1 + light.offset) }
        flatten(&difference)
        var changed = [Bool](repeating: false, count: difference.count)
        for index in difference.indices {
            // What is clipped follows no factor.
            let isClipped = grid.cells[index] > 250 && mean[index] > 180 || grid.cells[index] < 5 && mean[index] < 40
            changed[index] = !isClipped && abs(difference[index]) > max(leastDifference, 4 * deviation[index])
        }
        let count = changed.count { $0 }
        if Float(count) > Self.most * Float(changed.count) {
            learn(grid)
            return false
        }
        let largest = count >= leastCells ? largestGroup(changed) : 0
        follow(grid.cells, light, changed, difference)
        seen += 1
        let isMoving = seen > Self.learning && largest >= leastCells
        moving = isMoving ? moving + 1 : 0
        return moving >= Self.lasting
    }

    private mutating func learn(_ grid: LumaGrid) {
        (shape, mean) = ((grid.columns, grid.rows), grid.cells)
        deviation = Array(repeating: 3, count: grid.cells.count)
        (seen, moving) = (0, 0)
    }

    /// The factor and the offset by which the frame's light has changed: least squares over all cells, and once more without those that
    /// lie far off.
    private func fit(_ cells: [Float]) -> (factor: Float, offset: Float) {
        var (factor, offset): (Float, Float) = (1, 0)
        var limit = Float.infinity
        for _ in 0..<3 {
            var (count, x, y, xx, xy): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
            for (new, old) in zip(cells, mean) where abs(new - (factor * old + offset)) < limit && new < 250 && new > 5
            {
                (count, x, y, xx, xy) = (count + 1, x + old, y + new, xx + old * old, xy + old * new)
            }
            guard count > 8 else { break }
            let spread = xx - x * x / count
            // A frame without contrast has no factor.
            factor = spread / count > 25 ? min(4, max(0.25, (xy - x * y / count) / spread)) : 1
            offset = (y - factor * x) / count
            limit = limit.isInfinite ? 30 : 12
        }
        return (factor, offset)
    }

    /// Takes away what changes evenly in a part of the frame: light that falls from one side.
    private func flatten(_ difference: inout [Float]) {
        for top in stride(from: 0, to: shape.rows, by: Self.part.rows) {
            for left in stride(from: 0, to: shape.columns, by: Self.part.columns) {
                let rows = top..<min(shape.rows, top + Self.part.rows)
                let columns = left..<min(shape.columns, left + Self.part.columns)
                var values: [Float] = []
                for row in rows {
                    values +=
                        difference[row * shape.columns + columns.lowerBound..<row * shape.columns + columns.upperBound]
                }
                values.sort()
                let median = values[values.count / 2]
                for row in rows { for column in columns { difference[row * shape.columns + column] -= median } }
            }
        }
    }

    /// How many cells touch each other that have changed, at most.
    private func largestGroup(_ changed: [Bool]) -> Int {
        var (left, largest) = (changed, 0)
        for start in left.indices where left[start] {
            var (stack, size) = ([start], 0)
            left[start] = false
            while let cell = stack.popLast() {
                size += 1
                let (row, column) = (cell / shape.columns, cell % shape.columns)
                for (y, x) in [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
                where (0..<shape.rows).contains(y) && (0..<shape.columns).contains(x) && left[y * shape.columns + x] {
                    left[y * shape.columns + x] = false
                    stack.append(y * shape.columns + x)
                }
            }
            largest = max(largest, size)
        }
        return largest
    }

    /// The mean follows the light at once, what stays in ten seconds or so, and what moves more slowly, so that it does not leave a shadow.
    private mutating func follow(
        _ cells: [Float], _ light: (factor: Float, offset: Float), _ changed: [Bool], _ difference: [Float]
    ) {
        for index in mean.indices {
            let expected = light.factor * mean[index] + light.offset
            let pace: Float = changed[index] ? 0.01 : 0.1
            mean[index] = expected + (cells[index] - expected) * pace
            let strays = min(40, abs(difference[index]))
            deviation[index] += (strays - deviation[index]) * (changed[index] ? 0.02 : 0.05)
        }
    }
}

/// How bright the parts of a frame are: the mean of a few pixels in each cell of a grid, 0 to 255, row by row.
package struct LumaGrid: Sendable, Equatable {
    package let columns: Int
    package let rows: Int
    package let cells: [Float]

    /// - Parameter cells: `columns` times `rows` of them.
    package init(columns: Int, rows: Int, cells: [Float]) {
        (self.columns, self.rows, self.cells) = (columns, rows, cells)
    }
}
