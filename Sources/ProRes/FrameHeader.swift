/// What stands before the slices of a frame (RDD 36: frame, frame_header, picture_header, slice_table).
struct FrameHeader {
    let layout: FrameLayout
    let quantiser: Quantiser
    let mode: InterlaceMode

    /// Of a header with both matrices.
    private static let size = 20 + 2 * 64
    /// Apple's own; some editors take others for damaged.
    private static let encoder = "apl0"

    /// - Parameter images: the rows of the frame, or of each of its fields.
    func frame(of images: [[CodedRow]]) -> [UInt8] {
        let total = 8 + Self.size + images.reduce(0) { $0 + size(of: $1) }
        var frame: [UInt8] = []
        frame.reserveCapacity(total)
        frame.append(number: total, bytes: 4)
        frame += "icpf".utf8
        appendHeader(to: &frame)
        for rows in images { append(rows, to: &frame) }
        return frame
    }

    private func size(of rows: [CodedRow]) -> Int {
        rows.reduce(8) { $0 + 2 * $1.sizes.count + $1.bytes.count }
    }

    private func append(_ rows: [CodedRow], to frame: inout [UInt8]) {
        // The size of this header (RDD 36, picture_header), in the upper five bits.
        frame.append(8 << 3)
        frame.append(number: size(of: rows), bytes: 4)
        frame.append(number: rows.reduce(0) { $0 + $1.sizes.count }, bytes: 2)
        frame.append(FrameLayout.sliceLogarithm << 4)
        for row in rows {
            for size in row.sizes { frame.append(number: size, bytes: 2) }
        }
        for row in rows { frame += row.bytes }
    }

    private func appendHeader(to frame: inout [UInt8]) {
        let is444 = layout.chroma == .fourFourFour
        frame.append(number: Self.size, bytes: 2)
        // The version: 1 for what 4:2:2 without alpha is not.
        frame += [0, is444 ? 1 : 0]
        frame += Self.encoder.utf8
        frame.append(number: layout.width, bytes: 2)
        frame.append(number: layout.height, bytes: 2)
        frame += [
            // Chroma format and fields. Then the pixels' shape and the rate, unknown here.
            (is444 ? 3 << 6 : 2 << 6) | mode.rawValue << 2, 0,
            // Primaries, transfer and matrix, unspecified: who knows them writes them over.
            2, 2, 2,
            // What alpha there is; both matrices follow.
            layout.hasAlpha ? AlphaCoder.channelType : 0, 0, 0b11,
        ]
        frame += quantiser.matrix
        frame += quantiser.matrix
    }
}

extension [UInt8] {
    /// The highest byte first.
    fileprivate mutating func append(number: Int, bytes: Int) {
        for byte in (0..<bytes).reversed() { append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
    }
}
