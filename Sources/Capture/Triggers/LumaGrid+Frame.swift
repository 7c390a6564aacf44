import GStreamer
import Imaging
import MediaTypes

extension LumaGrid {
    /// Of each cell so many pixels in a row and a column are looked at.
    private static let samples = 4

    /// The same of a frame that a camera gave.
    ///
    /// - Parameters:
    ///   - area: what is looked at.
    ///   - columns: and `rows`: fewer where the frame has fewer pixels.
    /// - Returns: `nil` for a format that has no luma in 8 or 10 bits.
    init?(_ frame: Buffer, _ caps: Caps, area: FrameArea = .whole, columns: Int = 80, rows: Int = 45) {
        guard let layout = VideoFrameLayout(caps), let place = LumaSamples(layout.format) else { return nil }
        let (left, top) = (Int(area.x * Double(layout.size.width)), Int(area.y * Double(layout.size.height)))
        let wide = min(layout.size.width - left, Int(area.width * Double(layout.size.width)))
        let high = min(layout.size.height - top, Int(area.height * Double(layout.size.height)))
        guard wide >= 16, high >= 16 else { return nil }
        let (columns, rows) = (min(columns, wide / 4), min(rows, high / 4))
        let cells = try? frame.withPlanes(layout) { planes -> [Float]? in
            guard let plane = planes.first else { return nil }
            var sums = [Float](repeating: 0, count: columns * rows)
            for row in 0..<rows * Self.samples {
                let line = plane.base + (top + row * high / (rows * Self.samples)) * plane.bytesPerRow
                for column in 0..<columns * Self.samples {
                    let value = place.value(line, left + column * wide / (columns * Self.samples))
                    sums[row / Self.samples * columns + column / Self.samples] += Float(value)
                }
            }
            return sums.map { $0 / Float(Self.samples * Self.samples) }
        }
        guard let cells = cells ?? nil else { return nil }
        self.init(columns: columns, rows: rows, cells: cells)
    }
}
