/// Reads big-endian fields of one box in order, and throws where the box ends too early.
struct ByteReader {
    private let box: FourCC
    private let boxOffset: UInt64
    private(set) var remaining: ArraySlice<UInt8>

    init(_ box: Box) {
        self.init(box.payload, of: box.type, at: box.fileOffset)
    }

    /// `boxOffset` is where the box begins in its file, for error messages.
    init(_ bytes: ArraySlice<UInt8>, of box: FourCC, at boxOffset: UInt64) {
        remaining = bytes
        self.box = box
        self.boxOffset = boxOffset
    }

    func error(_ reason: String) -> MovieFileError {
        .invalidBox(box, offset: boxOffset, reason: reason)
    }

    mutating func read<T: FixedWidthInteger>(_: T.Type = T.self) throws(MovieFileError) -> T {
        let size = T.bitWidth / 8
        guard remaining.count >= size else {
            throw error("it ends \(size - remaining.count) bytes before the end of a field")
        }
        var value: T = 0
        for index in remaining.startIndex..<remaining.startIndex + size {
            value = value << 8 | T(truncatingIfNeeded: remaining[index])
        }
        remaining = remaining[(remaining.startIndex + size)...]
        return value
    }

    mutating func readBytes(_ count: Int) throws(MovieFileError) -> ArraySlice<UInt8> {
        guard count >= 0, remaining.count >= count else {
            throw error("it holds \(remaining.count) bytes where \(count) are needed")
        }
        defer { remaining = remaining.dropFirst(count) }
        return remaining.prefix(count)
    }

    mutating func skip(_ count: Int) throws(MovieFileError) {
        _ = try readBytes(count)
    }

    /// Reads `count` numbers of a table, after having checked that the box holds them all.
    mutating func readTable<T: FixedWidthInteger>(_ count: Int, of _: T.Type = T.self) throws(MovieFileError) -> [T] {
        let size = T.bitWidth / 8
        guard count >= 0, count <= remaining.count / size else {
            throw error("its table should hold \(count) numbers, but there is room for \(remaining.count / size)")
        }
        // Making an array of none this way writes into the one empty array that all threads share.
        guard count > 0 else { return [] }
        let table = remaining.withUnsafeBytes { bytes in
            [T](unsafeUninitializedCapacity: count) { numbers, initialized in
                for index in 0..<count {
                    numbers.initializeElement(
                        at: index, to: T(bigEndian: bytes.loadUnaligned(fromByteOffset: index * size, as: T.self)))
                }
                initialized = count
            }
        }
        remaining = remaining.dropFirst(count * size)
        return table
    }

    /// Reads the version and the flags that begin a full box.
    mutating func readVersionAndFlags() throws(MovieFileError) -> (version: UInt8, flags: UInt32) {
        let word = try read(UInt32.self)
        return (UInt8(word >> 24), word & 0xFF_FFFF)
    }

    /// Reads a time or duration field: 64 bits in version 1 of a box, 32 in version 0.
    mutating func readTime(version: UInt8) throws(MovieFileError) -> UInt64 {
        version == 1 ? try read(UInt64.self) : UInt64(try read(UInt32.self))
    }

    mutating func readFourCC() throws(MovieFileError) -> FourCC {
        FourCC(rawValue: try read())
    }
}
