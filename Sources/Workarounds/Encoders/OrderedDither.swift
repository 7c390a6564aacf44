/// GStreamer 1.22, videoconvert: goes with the version that rounds the bits that it takes away; `WorkaroundTests` “videoconvert, 10 to 8 bits”.
///
/// Makes samples of 8 bits from those of 10 or 12, with an ordered dither: a smooth area gets the mean that it had, where rounding leaves
/// steps and cutting off makes all darker. What 8 bits can tell stays as it is, in studio range to the bit.
///
/// A threshold that depends on a sample's place is added before the lowest bits are cut off (B. E. Bayer, IEEE ICC 1973, 26-11;
/// a matrix of 4×4). It is the same in all frames, so what stands still stays still for encoders.
struct OrderedDither: Sendable {
    /// A plane of the frame that is read.
    struct Plane {
        let bytes: UnsafeRawPointer
        /// Bytes from one row to the next.
        let stride: Int
        /// In samples.
        let width: Int
        let height: Int
        /// Rows of the plane that is made, and with its padding.
        let madeHeight: Int
        let rows: Int
        let isChroma: Bool
    }

    /// 65536 for a step of 8 bits.
    private let (luma, chroma): (UInt32, UInt32)
    /// By how many bits samples are shifted to the left.
    private let shift: UInt32
    /// Thresholds of four rows.
    private let thresholds: [[UInt32]]

    private static let matrix: [[UInt32]] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]

    /// - Parameters:
    ///   - bitDepth: 10 or 12.
    ///   - shift: by how many bits samples are shifted to the left.
    ///   - width: the most samples of a row.
    init(bitDepth: Int, shift: Int, isFullRange: Bool, width: Int) {
        let step = UInt32(65_536 >> (bitDepth - 8))
        (chroma, self.shift) = (step, UInt32(shift))
        // The brightest luma is 255 then, whatever the threshold; chroma stays around its middle, as behind `BitDepthConverter`.
        luma = isFullRange ? UInt32((65_536.0 * 255 / Double((1 << bitDepth) - 1)).rounded(.up)) : step
        thresholds = Self.matrix.map { row in (0..<width).map { row[$0 & 3] << UInt32(12 + shift) } }
    }

    func reduced(_ planes: [Plane]) -> [UInt8] {
        let size = planes.reduce(0) { $0 + Self.stride($1.width) * $1.rows }
        return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
            guard var place = bytes.baseAddress else { return }
            for plane in planes {
                write(plane, to: place)
                place += Self.stride(plane.width) * plane.rows
            }
            count = size
        }
    }

    /// Bytes of a row, rounded up to four.
    static func stride(_ width: Int) -> Int { (width + 3) & ~3 }

    private func write(_ plane: Plane, to place: UnsafeMutablePointer<UInt8>) {
        let (stride, width) = (Self.stride(plane.width), plane.width)
        let factor = plane.isChroma ? chroma : luma
        func samples(_ row: Int) -> UnsafePointer<UInt16> {
            (plane.bytes + min(row, plane.height - 1) * plane.stride).assumingMemoryBound(to: UInt16.self)
        }
        for row in 0..<plane.madeHeight {
            let target = place + row * stride
            thresholds[row & 3].withUnsafeBufferPointer { thresholds in
                guard let threshold = thresholds.baseAddress else { return }
                // One loop each, which the compiler makes vectors of.
                if plane.madeHeight == plane.height {
                    let (source, bits) = (samples(row), 16 + shift)
                    for x in 0..<width {
                        let value = (UInt32(UInt16(littleEndian: source[x])) &* factor &+ threshold[x]) &>> bits
                        target[x] = UInt8(truncatingIfNeeded: min(255, value))
                    }
                } else {
                    // The mean of two rows: chroma that gets half of them.
                    let (upper, lower, bits) = (samples(2 * row), samples(2 * row + 1), 17 + shift)
                    for x in 0..<width {
                        let sum = UInt32(UInt16(littleEndian: upper[x])) &+ UInt32(UInt16(littleEndian: lower[x]))
                        let value = (sum &* factor &+ 2 &* threshold[x]) &>> bits
                        target[x] = UInt8(truncatingIfNeeded: min(255, value))
                    }
                }
            }
            for x in width..<stride { target[x] = 0 }
        }
        // A converter may look there; black would be green in chroma.
        guard plane.madeHeight > 0 else { return }
        for row in plane.madeHeight..<max(plane.madeHeight, plane.rows) {
            (place + row * stride).update(from: place + (plane.madeHeight - 1) * stride, count: stride)
        }
    }
}
