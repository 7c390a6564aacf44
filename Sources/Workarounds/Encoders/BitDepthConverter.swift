/// GStreamer 1.22, videoconvert: goes with the version that makes 10 bits of 8 in studio range; `WorkaroundTests` “videoconvert, 8 to 10 bits in studio range”.
///
/// Makes frames of 10 bits from frames of 8, plane by plane, in GStreamer's layout of I420_10LE, I422_10LE and
/// Y444_10LE.
///
/// A value is worth four times as much then: black, white and the neutral grey of studio range (16, 235, 128) become those
/// of 10 bits (64, 940, 512; ITU-R BT.709, 4.6). Where the whole range is used, the brightest luma is 1023, so the highest
/// bits are repeated below; chroma stays around its middle.
struct BitDepthConverter: Sendable {
    /// What is known of a plane of the frame that is read.
    struct Plane {
        let bytes: UnsafeRawPointer
        /// Bytes from one row to the next.
        let stride: Int
        let width: Int
        let height: Int
        /// Rows that the layout has room for; those beyond the height are padding.
        let rows: Int
    }

    let isFullRange: Bool

    /// The formats it makes, by those it takes.
    static let formats = ["I420": "I420_10LE", "Y42B": "I422_10LE", "Y444": "Y444_10LE"]

    func converted(_ planes: [Plane]) -> [UInt8] {
        let size = planes.reduce(0) { $0 + Self.stride($1.width) * $1.rows }
        return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
            guard var place = UnsafeMutableRawPointer(bytes.baseAddress) else { return }
            for (index, plane) in planes.enumerated() {
                write(plane, to: place, repeatsBits: isFullRange && index == 0)
                place += Self.stride(plane.width) * plane.rows
            }
            count = size
        }
    }

    /// Bytes of a row: of two for each sample, rounded up to four.
    static func stride(_ width: Int) -> Int { (width * 2 + 3) & ~3 }

    private func write(_ plane: Plane, to place: UnsafeMutableRawPointer, repeatsBits: Bool) {
        let stride = Self.stride(plane.width)
        for row in 0..<plane.height {
            let source = (plane.bytes + row * plane.stride).assumingMemoryBound(to: UInt8.self)
            let target = (place + row * stride).assumingMemoryBound(to: UInt16.self)
            // One loop each, which the compiler makes vectors of.
            if repeatsBits {
                for x in 0..<plane.width { target[x] = (UInt16(source[x]) << 2 | UInt16(source[x]) >> 6).littleEndian }
            } else {
                for x in 0..<plane.width { target[x] = (UInt16(source[x]) << 2).littleEndian }
            }
            if plane.width * 2 < stride { target[plane.width] = 0 }
        }
        guard plane.height > 0 else { return }
        // A converter may look there; black would be green in chroma.
        for row in plane.height..<max(plane.height, plane.rows) {
            (place + row * stride).copyMemory(from: place + (plane.height - 1) * stride, byteCount: stride)
        }
    }
}
