/// Builds boxes in memory: big-endian fields, and sizes filled in where a box ends.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append<T: FixedWidthInteger>(_ value: T) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ code: FourCC) {
        append(code.rawValue)
    }

    mutating func append(contentsOf other: some Sequence<UInt8>) {
        bytes.append(contentsOf: other)
    }

    /// Appends a whole table at once, which is many times faster than number by number.
    mutating func append<T: FixedWidthInteger>(table: [T]) {
        table.map(\.bigEndian).withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Appends a box whose payload is what `body` appends.
    mutating func box(
        _ type: FourCC, _ body: (inout ByteWriter) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        let start = bytes.count
        append(UInt32(0))
        append(type)
        try body(&self)
        guard let size = UInt32(exactly: bytes.count - start) else {
            throw .unsupported(reason: "its '\(type)' box would be larger than 4 GB")
        }
        withUnsafeBytes(of: size.bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    }

    /// Appends a full box: one with a version and flags.
    mutating func fullBox(
        _ type: FourCC, version: UInt8 = 0, flags: UInt32 = 0,
        _ body: (inout ByteWriter) throws(MovieFileError) -> Void
    ) throws(MovieFileError) {
        try box(type) { (writer: inout ByteWriter) throws(MovieFileError) in
            writer.append(UInt32(version) << 24 | flags)
            try body(&writer)
        }
    }
}
