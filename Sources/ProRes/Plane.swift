/// One plane of a frame in memory.
///
/// Frames of 8 bits are taken as they are, and so are those with half the rows of chroma: GStreamer's converters (1.22)
/// stretch 8 bits to all of 10, which makes white 943 where it is 940, and need longer than it takes here.
package struct Plane {
    /// How samples lie in memory.
    package enum Depth: Sendable {
        /// One byte a sample; a level is four of ProRes'.
        case eight
        /// Two bytes a sample, of which the lower ten bits count.
        case ten
    }

    /// What samples mean. ProRes has studio range alone: luma from 64 to 940, chroma from 64 to 960 (ITU-R BT.709, 4.6).
    package enum Values: Sendable {
        case studio
        /// All values are used, as JPEGs do; they are brought into studio range.
        case fullLuma, fullChroma
    }

    let bytes: UnsafeRawPointer
    /// Bytes from one row to the next.
    let stride: Int
    /// Samples and rows in memory.
    let width: Int
    let height: Int
    let depth: Depth
    let values: Values
    /// Rows of the frame.
    let rows: Int

    /// - Parameter rows: of the frame, where each row in memory stands for two of them, as chroma's do in 4:2:0.
    package init(
        bytes: UnsafeRawPointer, stride: Int, width: Int, height: Int, depth: Depth = .ten,
        values: Values = .studio, rows: Int? = nil
    ) {
        (self.bytes, self.stride, self.width, self.height) = (bytes, stride, width, height)
        (self.depth, self.values, self.rows) = (depth, values, rows ?? height)
    }

    /// Every second row, from the first or the second one on.
    func field(top isTop: Bool) -> Plane {
        Plane(
            bytes: isTop || height < 2 ? bytes : bytes + stride, stride: 2 * stride, width: width,
            height: isTop ? (height + 1) / 2 : max(1, height / 2), depth: depth, values: values)
    }

    var isHalved: Bool { rows > height }

    /// What makes a sample of ten bits a level around grey: first it is multiplied, then the rest is taken off.
    var level: (scale: Float, shift: Float) {
        let most: Float = depth == .eight ? 255 * 4 : 1023
        switch values {
        case .studio: return (1, 512)
        case .fullLuma: return (876 / most, 512 - 64)
        case .fullChroma: return (896 / most, 512 * 896 / most)
        }
    }

    /// The rows in memory that a row of the frame is made of: three quarters of the near one, which it lies in, and a
    /// quarter of the one beyond its edge (ISO/IEC 23091-2, chroma sample types 0 and 1: midway between two rows of luma).
    /// Below the frame its last row goes on.
    func rows(at row: Int) -> (near: Int, far: Int) {
        let row = min(row, rows - 1)
        guard isHalved else { return (row, row) }
        let near = row / 2
        return (near, row % 2 == 0 ? max(near - 1, 0) : min(near + 1, height - 1))
    }
}
