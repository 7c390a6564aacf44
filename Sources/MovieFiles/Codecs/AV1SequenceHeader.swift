/// The sequence header of AV1 (AV1 Bitstream & Decoding Process Specification, section 5.5).
struct AV1SequenceHeader: Sendable, Equatable {
    var profile = 0
    var level = 0
    var tier = 0
    var bitDepth = 8
    var isMonochrome = false
    var subsamplingX = true
    var subsamplingY = true
    var chromaSamplePosition = 0
    var colour = ColourInformation(primaries: 2, transfer: 2, matrix: 2, isFullRange: nil)
    /// The whole OBU, as `av1C` keeps it.
    var obu: ArraySlice<UInt8> = []
    /// Its payload: what follows the OBU's header and size.
    var payload: ArraySlice<UInt8> = []
    /// The bit of the payload that says whether the colours are described; nil where they are.
    var missingDescription: Int?

    /// Finds the header among the OBUs that `bytes` begin with; nil where it is not there or not whole.
    init?(obusIn bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let header = rest.first {
            let hasExtension = header & 0x04 != 0
            let hasSize = header & 0x02 != 0
            var body = rest.dropFirst(hasExtension ? 2 : 1)
            if hasSize {
                guard let size = body.popLEB128(), size <= body.count else { return nil }
                body = body.prefix(size)
            }
            let isSequenceHeader = header >> 3 & 0x0F == 1
            if isSequenceHeader {
                obu = rest[rest.startIndex..<body.endIndex]
                payload = body
                var bits = BitReader(body)
                guard parse(&bits) else { return nil }
                return
            }
            rest = rest[body.endIndex...]
        }
        return nil
    }

    /// The payload of an `av1C` box (AV1 Codec ISO Media File Format Binding, section 2.3).
    var configurationRecord: [UInt8] {
        let flags: [(Bool, UInt8)] = [
            (tier != 0, 0x80), (bitDepth > 8, 0x40), (bitDepth == 12, 0x20), (isMonochrome, 0x10),
            (subsamplingX, 0x08), (subsamplingY, 0x04),
        ]
        let packed = flags.reduce(UInt8(chromaSamplePosition & 3)) { $1.0 ? $0 | $1.1 : $0 }
        return [0x81, UInt8(profile & 7) << 5 | UInt8(level & 0x1F), packed, 0]
    }
}

extension ArraySlice<UInt8> {
    /// Takes a number in little-endian base 128 off the front.
    fileprivate mutating func popLEB128() -> Int? {
        var value = 0
        for index in 0..<5 {
            guard let byte = popFirst() else { return nil }
            value |= Int(byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
