/// How many frames a transport stream's video begins with before the first that can be decoded: a broadcast may be recorded from anywhere on.
///
/// Nothing decodes them, and parsers drop most of them: those before the first parameter sets, which say how large frames are.
struct LeadingUnits: Sendable, Hashable {
    /// Of one number.
    private struct Stream: Sendable, Hashable {
        var units = 0
        /// How many frames begin before the first parameter sets of each codec, by its number in tables.
        var leading: [UInt8: Int] = [:]
    }

    private static let (mpeg1, mpeg2, avc, hevc): (UInt8, UInt8, UInt8, UInt8) = (0x01, 0x02, 0x1B, 0x24)
    /// Some minutes: what has none until then is no video that is known here.
    private static let mostUnits = 10_000

    private var streams: [Int: Stream] = [:]

    /// Looks at what begins in a packet.
    mutating func take(_ packet: TransportPacket) {
        guard packet.beginsPacketized, let bytes = packet.beginningOfVideo else { return }
        var stream = streams[packet.number] ?? Stream()
        guard stream.units < Self.mostUnits else { return }
        for place in bytes.indices.dropLast(3)
        where bytes[place] == 0 && bytes[place + 1] == 0 && bytes[place + 2] == 1 {
            guard let type = Self.type(ofHeader: bytes[place + 3]) else { continue }
            stream.leading[type] = stream.leading[type] ?? stream.units
        }
        stream.units += 1
        streams[packet.number] = stream
    }

    /// Whose header a start code begins: a sequence's of MPEG-2, sequence parameter sets of H.264, sequence or video parameter sets of HEVC. What
    /// is one of another codec by chance is never asked for.
    private static func type(ofHeader code: UInt8) -> UInt8? {
        if code == 0xB3 { return mpeg2 }
        if code & 0x9F == 7 { return avc }
        return code == 0x40 || code == 0x42 ? hevc : nil
    }

    /// - Parameters:
    ///   - number: of the stream's packets.
    ///   - type: its codec's, as tables call it.
    /// - Returns: how many frames begin before the first that can be decoded; 0 where nothing is known.
    func count(of number: Int, type: UInt8) -> Int {
        streams[number]?.leading[type == Self.mpeg1 ? Self.mpeg2 : type] ?? 0
    }
}

extension TransportPacket {
    /// What video begins with behind the head of its packet (ISO/IEC 13818-1, 2.4.3.6); nil of any other stream.
    fileprivate var beginningOfVideo: UnsafeRawBufferPointer.SubSequence? {
        let content = content
        let start = content.startIndex
        guard content.count > 9, content[start + 3] & 0xF0 == 0xE0 else { return nil }
        return content.dropFirst(9 + Int(content[start + 8]))
    }
}
