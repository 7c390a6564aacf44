import MediaTypes

/// White text with a dark border, to be drawn into frames: readable on a bright sky and on a black night.
package struct TextStamp: Sendable, Hashable {
    /// Of the text with its border, in pixels; both even.
    package let width: Int
    package let height: Int
    /// How much of each pixel the text covers, 0 to 255, and how much text and border do together.
    private let text: [UInt8]
    private let covered: [UInt8]

    /// How opaque the border is.
    private static let shade = 0.55

    /// - Parameters:
    ///   - coverage: of the text alone, 0 to 255 a pixel, row by row; empty columns and rows around it are cut away.
    ///   - border: how wide the border is, in pixels.
    /// - Returns: nil where nothing is covered.
    package init?(coverage: [UInt8], width: Int, border: Int) {
        let rows = coverage.count / max(1, width)
        let isInked = (
            columns: (0..<width).filter { x in (0..<rows).contains { coverage[$0 * width + x] > 0 } },
            rows: (0..<rows).filter { y in (0..<width).contains { coverage[y * width + $0] > 0 } }
        )
        guard let left = isInked.columns.first, let right = isInked.columns.last, let top = isInked.rows.first,
            let bottom = isInked.rows.last
        else { return nil }
        self.width = (right - left + 1 + 2 * border + 1) & ~1
        self.height = (bottom - top + 1 + 2 * border + 1) & ~1
        var text = [UInt8](repeating: 0, count: self.width * self.height)
        for y in top...bottom {
            for x in left...right {
                text[(y - top + border) * self.width + x - left + border] = coverage[y * width + x]
            }
        }
        self.text = text
        let spread = Self.spread(text, width: self.width, by: border)
        covered = zip(text, spread).map { max($0, UInt8((Double($1) * Self.shade).rounded())) }
    }

    /// The greatest value within a distance of each pixel.
    private static func spread(_ values: [UInt8], width: Int, by distance: Int) -> [UInt8] {
        let height = values.count / max(1, width)
        var result = values
        for y in 0..<height {
            for x in 0..<width where values[y * width + x] > 0 {
                for row in max(0, y - distance)...min(height - 1, y + distance) {
                    for column in max(0, x - distance)...min(width - 1, x + distance) {
                        let (dx, dy) = (column - x, row - y)
                        guard dx * dx + dy * dy <= distance * distance + distance else { continue }
                        result[row * width + column] = max(result[row * width + column], values[y * width + x])
                    }
                }
            }
        }
        return result
    }

    /// Draws it into a frame that can be written; what lies beyond the frame is left out.
    ///
    /// - Parameters:
    ///   - x: of its left edge in the frame; rounded down to an even number.
    ///   - y: of its upper edge; likewise.
    package func draw(into frame: MutableFrameView, x: Int, y: Int) {
        if frame.format.pixelFormat.bytesPerSample == 1 {
            draw(into: frame, UInt8.self, x: x & ~1, y: y & ~1)
        } else {
            draw(into: frame, UInt16.self, x: x & ~1, y: y & ~1)
        }
    }

    private func draw<Sample: FixedWidthInteger>(into frame: MutableFrameView, _: Sample.Type, x: Int, y: Int) {
        let size = frame.format.size
        let format = frame.format.pixelFormat
        // P010 has its bits in the upper ones of 16.
        let shift = format == .p010 ? 6 : 0
        let scale = SampleScale(frame.format.color.range, bitDepth: format.bitDepth)
        func blend(_ sample: inout Sample, _ cover: Double, _ light: Double) {
            sample = Sample((Double(sample >> Sample(shift)) * (1 - cover) + light).rounded()) << Sample(shift)
        }
        let columns = max(0, -x)..<max(max(0, -x), min(width, size.width - x))
        let rows = max(0, -y)..<max(max(0, -y), min(height, size.height - y))
        for row in rows {
            let luma = frame.row(y + row, of: 0, Sample.self)
            for column in columns {
                let (ink, cover) = (
                    Double(text[row * width + column]) / 255, Double(covered[row * width + column]) / 255
                )
                guard cover > 0 else { continue }
                blend(&luma[x + column], cover, scale.luma.offset * cover + scale.luma.scale * ink)
            }
            guard row % 2 == 0 || !format.hasHalfChromaRows else { continue }
            let shared = format.hasHalfChromaRows ? [0, 1, width, width + 1] : [0, 1]
            for column in columns where column % 2 == 0 {
                let sum = shared.reduce(0) { $0 + Int(covered[row * width + column + $1]) }
                guard sum > 0 else { continue }
                let cover = Double(sum) / Double(shared.count * 255)
                let chromaRow = format.hasHalfChromaRows ? (y + row) / 2 : y + row
                // In planes of their own, or in turn in one.
                let places = format.planeCount == 3 ? [(1, 0), (2, 0)] : [(1, 0), (1, 1)]
                for (plane, offset) in places {
                    let chroma = frame.row(chromaRow, of: plane, Sample.self)
                    let place = format.planeCount == 3 ? (x + column) / 2 : x + column + offset
                    blend(&chroma[place], cover, scale.chroma.offset * cover)
                }
            }
        }
    }
}
