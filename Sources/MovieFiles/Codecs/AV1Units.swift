/// The OBUs that bytes begin with, as far as they are whole (AV1 Bitstream & Decoding Process Specification, sections 5.3.1 to 5.3.4).
struct AV1Units: Sequence, IteratorProtocol {
    /// What an OBU is, of those that are read here (section 6.2.2).
    enum Kind: UInt8 { case sequenceHeader = 1, metadata = 5 }

    struct Unit {
        /// nil: another one.
        var type: Kind?
        /// With its header.
        var bytes: ArraySlice<UInt8>
        /// What follows the header and the size.
        var payload: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func next() -> Unit? {
        guard let header = rest.first else { return nil }
        let (hasExtension, hasSize) = (header & 0x04 != 0, header & 0x02 != 0)
        var payload = rest.dropFirst(hasExtension ? 2 : 1)
        if hasSize {
            guard let size = payload.popLEB128(), size <= payload.count else { return nil }
            payload = payload.prefix(size)
        }
        defer { rest = rest[payload.endIndex...] }
        return Unit(
            type: Kind(rawValue: header >> 3 & 0x0F), bytes: rest[rest.startIndex..<payload.endIndex], payload: payload)
    }
}

extension ArraySlice<UInt8> {
    /// Takes a number in little-endian base 128 off the front (section 4.10.5); nil where it is not whole.
    mutating func popLEB128() -> Int? {
        var value = 0
        for index in 0..<5 {
            guard let byte = popFirst() else { return nil }
            value |= Int(byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
