import MovieFiles

/// GStreamer 1.22, matroskamux: goes with the version that writes colors that caps have no word for; `WorkaroundTests` “matroskamux, a matrix that caps have no word for”.
///
/// What Matroska and WebM say of colors (RFC 9559, 5.1.4.1.28.16): matroskamux (1.22) writes what caps have words for.
enum MatroskaColors {
    /// The identifier of Colour.
    private static let color: [UInt8] = [0x55, 0xB0]
    /// The identifiers of MatrixCoefficients, Range, TransferCharacteristics and Primaries.
    private static let (matrix, range, transfer, primaries): ([UInt8], [UInt8], [UInt8], [UInt8]) = (
        [0x55, 0xB1], [0x55, 0xB9], [0x55, 0xBA], [0x55, 0xBB]
    )

    /// Puts what is true in the place of what the muxer made of it, where these bytes have it: a number of one byte each.
    static func restore(_ bytes: UnsafeMutableRawBufferPointer, _ told: ColorInformation) {
        guard let begin = bytes.firstRange(of: color)?.upperBound else { return }
        let values: [([UInt8], UInt16)] = [
            (matrix, told.matrix), (transfer, told.transfer), (primaries, told.primaries),
            (range, told.isFullRange.map { $0 ? 2 : 1 } ?? 0),
        ]
        for (identifier, value) in values {
            guard let place = bytes[begin...].firstRange(of: identifier + [0x81])?.upperBound, place < bytes.count
            else { continue }
            bytes[place] = UInt8(clamping: value)
        }
    }
}
