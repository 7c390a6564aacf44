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
    var colour = ColorInformation(primaries: 2, transfer: 2, matrix: 2, isFullRange: nil)
    /// The whole OBU, as `av1C` keeps it.
    var obu: ArraySlice<UInt8> = []
    /// Its payload: what follows the OBU's header and size.
    var payload: ArraySlice<UInt8> = []
    /// The bit of the payload that says whether the colours are described; nil where they are.
    var missingDescription: Int?

    /// Finds the header among the OBUs that `bytes` begin with; nil where it is not there or not whole.
    init?(obusIn bytes: ArraySlice<UInt8>) {
        guard let unit = AV1Units(bytes).first(where: { $0.type == .sequenceHeader }) else { return nil }
        (obu, payload) = (unit.bytes, unit.payload)
        var bits = BitReader(payload)
        guard parse(&bits) else { return nil }
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

/// Puts the colours' meaning into an AV1 stream, where players look for it first.
///
/// av1enc (GStreamer 1.22) leaves color_description_present_flag at 0, and ffprobe and Chromium believe the stream more
/// than the `colr` box beside it. Source: AV1 Bitstream & Decoding Process Specification, 5.3.1 to 5.3.4 and 5.5.2.
package enum AV1Colour {
    /// What the sequence header says that these OBUs begin with; nil where there is none, or it says nothing.
    package static func read(_ unit: [UInt8]) -> ColorInformation? {
        guard let header = AV1SequenceHeader(obusIn: unit[...]), header.missingDescription == nil else { return nil }
        var color = header.colour
        color.chromaLocation = [1: 0, 2: 2][header.chromaSamplePosition]
        return color
    }

    /// The same temporal unit with the colours in its sequence header; nil where it has none, or one that says its colours.
    ///
    /// - Parameters:
    ///   - unit: OBUs, the sequence header among the first of them.
    ///   - primaries: code points of ITU-T H.273, as the transfer and the matrix.
    ///   - chromaLocation: where the chroma of 4:2:0 lies (``ColorInformation/chromaLocation``); AV1 has words for 0 and 2 only.
    package static func describing(
        _ unit: [UInt8], primaries: UInt8, transfer: UInt8, matrix: UInt8, isFullRange: Bool,
        chromaLocation: UInt8? = nil
    ) -> [UInt8]? {
        guard let header = AV1SequenceHeader(obusIn: unit[...]), let flag = header.missingDescription,
            // RGB is told by these three, and then the header has no range: not what a camera delivers.
            matrix != 0, let end = header.payload.indexOfLastOne
        else { return nil }
        let old = Array(header.payload)
        var bits = BitWriter()
        bits.append(0..<flag, of: old)
        bits.append(1, count: 1)
        for code in [primaries, transfer, matrix] { bits.append(Int(code), count: 8) }
        bits.append(isFullRange ? 1 : 0, count: 1)
        // The flag and the range have been written; the last one of the old header only marks its end.
        var rest = flag + 2
        if !header.isMonochrome, header.subsamplingX, header.subsamplingY, let chromaLocation {
            bits.append([0: 1, 2: 2][chromaLocation] ?? 0, count: 2)
            rest += 2
        }
        bits.append(rest..<max(rest, end), of: old)
        bits.append(1, count: 1)
        let hasExtension = header.obu.first.map { $0 & 0x04 != 0 } ?? false
        var obu = Array(header.obu.prefix(hasExtension ? 2 : 1))
        // With its size, which is short enough for one byte.
        obu[0] |= 0x02
        guard bits.bytes.count < 128 else { return nil }
        obu.append(UInt8(bits.bytes.count))
        return Array(unit[..<header.obu.startIndex]) + obu + bits.bytes + unit[header.obu.endIndex...]
    }
}

extension ArraySlice<UInt8> {
    /// The position in bits of the last bit that is set: where the trailing bits of an OBU begin.
    fileprivate var indexOfLastOne: Int? {
        guard let last = lastIndex(where: { $0 != 0 }) else { return nil }
        return (last - startIndex) * 8 + 7 - self[last].trailingZeroBitCount
    }
}
