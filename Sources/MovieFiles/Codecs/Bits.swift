/// Reads numbers of any width from the headers of a codec; nil past their end.
struct BitReader: Sendable {
    private let bytes: [UInt8]
    /// Bits read or skipped so far.
    private(set) var position = 0

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// The next `count` bits, up to 32, as a number.
    mutating func read(_ count: Int) -> Int? {
        guard position + count <= bytes.count * 8 else { return nil }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
            position += 1
        }
        return value
    }

    /// False where fewer bits are left.
    mutating func skip(_ count: Int) -> Bool {
        guard position + count <= bytes.count * 8 else { return false }
        position += count
        return true
    }

    mutating func readFlag() -> Bool? {
        read(1).map { $0 == 1 }
    }
}

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
