/// A part of an MXF file (SMPTE ST 377-1): a key of sixteen bytes, a length, and the data.
struct MXFPart {
    static let headSize = 25

    let key: [UInt8]
    let begin: UInt64
    let data: UInt64
    let end: UInt64

    init?(_ bytes: ArraySlice<UInt8>, at place: UInt64) {
        let bytes = Array(bytes.prefix(Self.headSize))
        guard bytes.count > 16, bytes.starts(with: [0x06, 0x0E, 0x2B, 0x34]) else { return nil }
        let count = bytes[16] < 0x80 ? 0 : Int(bytes[16] & 0x7F)
        guard count <= 8, bytes.count >= 17 + count, bytes[16] != 0x80 else { return nil }
        let length = count == 0 ? UInt64(bytes[16]) : Self.number(bytes[17..<17 + count])
        (key, begin, data) = (Array(bytes.prefix(16)), place, place + UInt64(17 + count))
        guard length < 1 << 60 else { return nil }
        end = data + length
    }

    var isPartition: Bool { key[4..<13].elementsEqual([2, 5, 1, 1, 0x0D, 1, 2, 1, 1]) }
    /// Of the partition that a file begins with (SMPTE ST 377-1, table 5).
    var isHeader: Bool { isPartition && key[13] == 2 }
    var isIndex: Bool { key[8..<14].elementsEqual([0x0D, 1, 2, 1, 1, 0x10]) }
    /// Of the properties of a track whose units have a length.
    var isTrack: Bool { key[8..<15].elementsEqual([0x0D, 1, 1, 1, 1, 1, 0x3B]) }
    /// Of properties of anything.
    var isSet: Bool { key[4] == 2 && key[5] == 0x53 && key[8..<14].elementsEqual([0x0D, 1, 1, 1, 1, 1]) }
    /// Frames, audio, data, and what begins all that belongs to a frame.
    var isEssence: Bool { key[8..<12].elementsEqual([0x0D, 1, 3, 1]) }

    /// Whether the file ends with it, or another part follows.
    func isFollowed(_ window: inout FileWindow, _ size: UInt64) throws(MovieFileError) -> Bool {
        guard end < size else { return end == size }
        return MXFPart(try window.bytes(Self.headSize, at: end), at: end) != nil || size - end < UInt64(Self.headSize)
    }

    /// Of a part, what its properties say: two bytes for which, two for how long, and the value. Those of an index are told so too.
    static func properties(_ set: ArraySlice<UInt8>) -> [UInt64: ArraySlice<UInt8>] {
        var (rest, properties) = (set, [UInt64: ArraySlice<UInt8>]())
        while rest.count >= 4 {
            let (tag, length) = (number(rest.prefix(2)), Int(number(rest.dropFirst(2).prefix(2))))
            properties[tag] = rest.dropFirst(4).prefix(length)
            rest = rest.dropFirst(4 + length)
        }
        return properties
    }

    static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
