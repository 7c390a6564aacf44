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
