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
