/// The head of a box: its type and how many bytes it spans (ISO/IEC 14496-12 section 4.2).
struct BoxHeader: Hashable, Sendable {
    var type: FourCC
    /// 8, or 16 where the size is a 64-bit one.
    var headerSize: Int
    /// The whole box in bytes, header included; nil where the box reaches to the end of the file (size field 0).
    var size: UInt64?

    /// The most bytes that a header takes.
    static let maximumSize = 16
}

extension BoxHeader {
    /// Reads the header that `bytes` begin with, or returns nil where they are too few to tell.
    ///
    /// - Throws: `invalidBox` where the size is smaller than the header itself.
    init?(_ bytes: some Collection<UInt8>, fileOffset: UInt64) throws(MovieFileError) {
        guard let size32 = UInt32(bigEndianBytes: bytes.prefix(4)),
            let type = UInt32(bigEndianBytes: bytes.dropFirst(4).prefix(4))
        else { return nil }
        self.type = FourCC(rawValue: type)
        switch size32 {
        case 0:
            headerSize = 8
            size = nil
        case 1:
            guard let size64 = UInt64(bigEndianBytes: bytes.dropFirst(8).prefix(8)) else { return nil }
            headerSize = 16
            size = size64
        default:
            headerSize = 8
            size = UInt64(size32)
        }
        if let size, size < UInt64(headerSize) {
            throw .invalidBox(
                self.type, offset: fileOffset, reason: "its size, \(size) bytes, is less than its header's")
        }
    }
}

extension FixedWidthInteger {
    /// The number that exactly these bytes spell, most significant byte first; nil where their count is another.
    init?(bigEndianBytes bytes: some Collection<UInt8>) {
        guard bytes.count == Self.bitWidth / 8 else { return nil }
        self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
    }
}
