/// The head of an EBML element: its identifier and how many bytes of data it has (RFC 8794 sections 4 to 6).
struct ElementHeader: Sendable, Equatable {
    /// As in ``ElementID``, and others.
    var rawID: UInt32
    /// Where it begins in the file.
    var offset: UInt64
    /// Where its data begins in the file.
    var dataOffset: UInt64
    /// Of its data, in bytes; nil where that is not known: it ends where an element of its parent's kind begins.
    var size: UInt64?

    /// The most bytes that a header takes here: an identifier of four, a size of eight.
    static let maximumSize = 12

    var id: ElementID? { ElementID(rawValue: rawID) }
    /// Where its data ends; nil where that is not known, or beyond what any file has.
    var end: UInt64? {
        guard let size else { return nil }
        let (end, overflow) = dataOffset.addingReportingOverflow(size)
        return overflow ? .max : end
    }

    /// Reads the header that `bytes` begin with; nil where they are none.
    init?(_ bytes: ArraySlice<UInt8>, at offset: UInt64) {
        guard let first = bytes.first, first >= 0x10 else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard bytes.count > idLength else { return nil }
        rawID = bytes.prefix(idLength).reduce(0) { $0 << 8 | UInt32($1) }
        guard let (number, length) = bytes.dropFirst(idLength).variableSizeNumber else { return nil }
        size = number
        self.offset = offset
        dataOffset = offset + UInt64(idLength + length)
    }
}

extension ArraySlice<UInt8> {
    /// The number that these bytes begin with and how many bytes it takes; its value is nil where all its bits are set,
    /// which stands for "not known" (RFC 8794 section 4).
    var variableSizeNumber: (value: UInt64?, length: Int)? {
        guard let first, first > 0 else { return nil }
        let length = first.leadingZeroBitCount + 1
        guard count >= length else { return nil }
        var value = UInt64(first) & (0xFF >> UInt64(length))
        for index in startIndex + 1..<startIndex + length { value = value << 8 | UInt64(self[index]) }
        return (value == (1 << UInt64(7 * length)) - 1 ? nil : value, length)
    }
}
