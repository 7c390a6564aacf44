/// Writes numbers of any width one after another; the last byte is filled with zeros.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    /// How many bits there are.
    private var count = 0

    /// The lowest `width` bits of a number.
    mutating func append(_ value: Int, count width: Int) {
        for place in (0..<width).reversed() { append(bit: UInt8(truncatingIfNeeded: value >> place & 1)) }
    }

    /// `ue(v)` (ITU-T H.264 and H.265 section 9).
    mutating func append(number: Int) {
        let width = (number + 1).bitWidth - (number + 1).leadingZeroBitCount
        append(0, count: width - 1)
        append(number + 1, count: width)
    }

    /// These bits of some bytes.
    mutating func append(_ range: Range<Int>, of source: [UInt8]) {
        var place = range.lowerBound
        while place < range.upperBound {
            // Where both stand at a byte, the rest goes byte by byte.
            if place % 8 == 0, count % 8 == 0, range.upperBound % 8 == 0 {
                bytes.append(contentsOf: source[place / 8..<range.upperBound / 8])
                count += range.upperBound - place
                return
            }
            append(bit: source[place / 8] >> UInt8(7 - place % 8) & 1)
            place += 1
        }
    }

    private mutating func append(bit: UInt8) {
        if count % 8 == 0 { bytes.append(0) }
        bytes[count / 8] |= bit << UInt8(7 - count % 8)
        count += 1
    }
}
