import MediaTypes

/// One column of each frame beside those of the others: a day at a glance, as observers of the aurora have it.
///
/// Where there are more frames than columns, neighbours are brought together, so a month is no wider than a day.
package struct Keogram: Sendable {
    /// An image of red, green and blue, 8 bits each, row by row without padding.
    package struct Image: Sendable, Hashable {
        package let width: Int
        package let height: Int
        package let bytes: [UInt8]
    }

    private let limit: Int
    /// Sums of red, green and blue of each row; of as many frames as all columns but the last have.
    private var columns: [[Float]] = []
    private var framesPerColumn = 1
    private var framesInLast = 0

    /// - Parameter limit: of columns; at least 2.
    package init(limit: Int = 4096) { self.limit = max(2, limit) }

    /// Adds the middle column of a frame in three planes of 4:2:0, as high as that of the first one.
    package mutating func add(_ frame: FrameView) {
        let rows = columns.first.map { $0.count / 3 } ?? frame.format.size.height
        let column = frame.middleColumn(rows: rows)
        if let last = columns.indices.last, framesInLast < framesPerColumn {
            for index in column.indices { columns[last][index] += column[index] }
            framesInLast += 1
        } else {
            if columns.count == limit { halve() }
            columns.append(column)
            framesInLast = 1
        }
    }

    /// Pairs of columns become one, and each that follows has twice as many frames.
    private mutating func halve() {
        columns = stride(from: 0, to: columns.count - 1, by: 2).map { index in
            zip(columns[index], columns[index + 1]).map { $0 + $1 }
        }
        framesPerColumn *= 2
    }

    /// `nil` without any frame.
    package var image: Image? {
        guard let height = columns.first.map({ $0.count / 3 }) else { return nil }
        var bytes = [UInt8](repeating: 0, count: columns.count * height * 3)
        for (x, column) in columns.enumerated() {
            let frames = Float(x == columns.count - 1 ? framesInLast : framesPerColumn)
            for row in 0..<height {
                for channel in 0..<3 {
                    let value = (column[row * 3 + channel] / frames * 255).rounded()
                    bytes[(row * columns.count + x) * 3 + channel] = UInt8(min(max(value, 0), 255))
                }
            }
        }
        return Image(width: columns.count, height: height, bytes: bytes)
    }
}

extension PlanarView where Pointer == UnsafeRawPointer {
    /// Red, green and blue from 0 to 1 of the middle pixels, from top to bottom.
    ///
    /// - Parameter count: of rows, the nearest ones where the frame has more or fewer.
    fileprivate func middleColumn(rows count: Int) -> [Float] {
        let height = format.size.height
        let rows = (0..<count).map { min(height - 1, (2 * $0 + 1) * height / (2 * count)) }
        return format.pixelFormat.bytesPerSample == 1 ? middleColumn(rows, UInt8.self) : middleColumn(rows, UInt16.self)
    }

    private func middleColumn<Sample: FixedWidthInteger>(_ rows: [Int], _: Sample.Type) -> [Float] {
        let scale = SampleScale(format.color.range, bitDepth: format.pixelFormat.bitDepth)
        let (red, blue) = format.color.matrix.weights
        let (x, chromaX) = (format.size.width / 2, format.size.width / 4)
        return rows.flatMap { row -> [Float] in
            let y: Double = (Double(self.row(row, of: 0, Sample.self)[x]) - scale.luma.offset) / scale.luma.scale
            let u = (Double(self.row(row / 2, of: 1, Sample.self)[chromaX]) - scale.chroma.offset) / scale.chroma.scale
            let v = (Double(self.row(row / 2, of: 2, Sample.self)[chromaX]) - scale.chroma.offset) / scale.chroma.scale
            // The inverse of ITU-R BT.709, section 3, of any weights.
            let (r, b) = (y + 2 * (1 - red) * v, y + 2 * (1 - blue) * u)
            let colors: [Double] = [r, (y - red * r - blue * b) / (1 - red - blue), b]
            return colors.map { Float(min(max($0, 0), 1)) }
        }
    }
}
