/// What samples of luma and chroma mean: the matrix that made them of red, green and blue, and their range.
package struct ColorEncoding: Sendable, Hashable {
    /// The weights of red, green and blue in luma.
    package enum Matrix: String, Sendable, Hashable, CaseIterable {
        /// ITU-R BT.601: standard definition, Motion JPEG, most webcams.
        case bt601
        /// ITU-R BT.709: high definition.
        case bt709
        /// ITU-R BT.2020, not constant luminance.
        case bt2020

        /// Those of red and blue; green has the rest.
        var weights: (red: Double, blue: Double) {
            switch self {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        }
    }

    /// Which of the values are used (ITU-R BT.2100, table 9).
    package enum Range: String, Sendable, Hashable, CaseIterable {
        /// Luma 16...235 and chroma 16...240 of 8 bits; four times that of 10.
        case limited
        /// All values, as in Motion JPEG.
        case full
    }

    package var matrix: Matrix
    package var range: Range

    package init(_ matrix: Matrix, _ range: Range = .limited) {
        (self.matrix, self.range) = (matrix, range)
    }

    /// High definition video.
    package static let bt709 = ColorEncoding(.bt709)
}

/// How a value from 0 to 1 of luma, or from -0.5 to 0.5 of chroma, becomes a sample.
struct SampleScale {
    let luma: (scale: Double, offset: Double)
    let chroma: (scale: Double, offset: Double)
    let largest: Int

    init(_ range: ColorEncoding.Range, bitDepth: Int) {
        largest = (1 << bitDepth) - 1
        let middle = Double(1 << (bitDepth - 1))
        let unit = Double(1 << (bitDepth - 8))
        switch range {
        case .limited: (luma, chroma) = ((219 * unit, 16 * unit), (224 * unit, middle))
        case .full: (luma, chroma) = ((Double(largest), 0), (Double(largest), middle))
        }
    }
}

/// A color of red, green and blue, each from 0 to 1, not linear: as on a screen.
package struct FrameColor: Sendable, Hashable {
    package var red, green, blue: Double

    package init(red: Double, green: Double, blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    package static let black = FrameColor(red: 0, green: 0, blue: 0)
    package static let white = FrameColor(red: 1, green: 1, blue: 1)

    /// Its samples in a format: Y, U, V, in the lower bits.
    func samples(_ color: ColorEncoding, bitDepth: Int) -> [UInt16] {
        let (r, b) = color.matrix.weights
        let y = r * red + (1 - r - b) * green + b * blue
        let (u, v) = ((blue - y) / (2 * (1 - b)), (red - y) / (2 * (1 - r)))
        let scale = SampleScale(color.range, bitDepth: bitDepth)
        return [
            y * scale.luma.scale + scale.luma.offset, u * scale.chroma.scale + scale.chroma.offset,
            v * scale.chroma.scale + scale.chroma.offset,
        ].map { UInt16(min(max($0.rounded(), 0), Double(scale.largest))) }
    }
}
