/// How many frames a transport stream's video begins with before the first that can be decoded: a broadcast may be recorded from anywhere on.
///
/// Nothing decodes them, and parsers drop most of them: those before the first parameter sets, which say how large frames are.
struct LeadingUnits: Sendable, Hashable {
    /// Of one number.
    private struct Stream: Sendable, Hashable {
        /// Frames that have begun.
        var units = 0
        /// How many begin before the one with the first parameter sets of each codec, by its number in tables.
        var leading: [UInt8: Int] = [:]
        /// The last bytes of the unit, as start codes may lie in two packets.
        var last: UInt32 = .max
    }

    private static let (mpeg1, mpeg2, avc, hevc): (UInt8, UInt8, UInt8, UInt8) = (0x01, 0x02, 0x1B, 0x24)
    /// Two minutes: what has none until then is no video that is known here.
    private static let mostUnits = 3000
    /// How many units are looked at behind what may be another codec's parameter sets by chance.
    private static let unitsBehind = 300

    private var streams: [Int: Stream] = [:]
    /// Those in which parameter sets are looked for.
    private var open: Set<Int> = []

    /// Looks at what lies in a packet.
    mutating func take(_ packet: TransportPacket) {
        guard packet.beginsUnit || !open.isEmpty else { return }
        let number = packet.number
        var content = packet.content
        if packet.beginsPacketized {
            guard let beginning = packet.beginningOfVideo else { return }
            content = beginning
            var stream = streams[number] ?? Stream()
            stream.units += 1
            stream.last = .max
            let isOver = stream.units > (stream.leading.values.min().map { $0 + Self.unitsBehind } ?? Self.mostUnits)
            streams[number] = stream
            if isOver { open.remove(number) } else { open.insert(number) }
        }
        guard open.contains(number), var stream = streams[number] else { return }
        // A start code is 00 00 01; behind it stands what begins.
        for byte in content {
            stream.last = stream.last << 8 | UInt32(byte)
            guard stream.last & 0xFFFF_FF00 == 0x100, let type = Self.type(ofHeader: byte) else { continue }
            stream.leading[type] = stream.leading[type] ?? stream.units - 1
        }
        streams[number] = stream
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
