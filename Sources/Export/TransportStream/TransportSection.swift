/// A program association or program map table, as it is sent (ISO/IEC 13818-1, 2.4.4).
struct TransportSection: Sendable, Hashable {
    /// From its number to its checksum.
    private(set) var bytes: [UInt8]

    /// What a map says of a stream.
    struct Stream: Sendable, Hashable {
        /// Table 2-34.
        var type: UInt8
        /// Of its packets (PID).
        var number: Int
        var descriptors: [UInt8]
        /// All of it, as it is sent.
        var bytes: [UInt8]

        static let aac: UInt8 = 0x0F
        static let dts: UInt8 = 0x8A

        /// What tells its codec: the type, and where that says nothing the tags of what follows it.
        var codecTags: [UInt8] {
            guard type == 0x06 else { return [type] }
            var (tags, place) = ([type], 0)
            while place + 2 <= descriptors.count {
                if [0x05, 0x56, 0x59, 0x6A, 0x7A, 0x7B, 0x7C, 0x7F].contains(descriptors[place]) {
                    tags.append(descriptors[place])
                }
                place += 2 + Int(descriptors[place + 1])
            }
            return tags
        }
    }

    /// - Returns: nil for another table, and for one that is not valid yet.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 12, bytes[0] == 0 || bytes[0] == 2, bytes[5] & 1 == 1 else { return nil }
        self.bytes = bytes
    }

    var isAssociation: Bool { bytes[0] == 0 }
    /// The program's number.
    var identifier: Int { word(3) }
    /// Whether it came as it was sent.
    var isWhole: Bool { Self.checksum(bytes[...]) == 0 }

    private func word(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }

    /// Where each program's map is, of an association. Program 0 is the network's.
    var programMaps: [Int] {
        stride(from: 8, through: bytes.count - 8, by: 4).compactMap { word($0) == 0 ? nil : word($0 + 2) & 0x1FFF }
    }

    /// Of a map.
    var streams: [Stream] {
        var streams: [Stream] = []
        var place = 12 + (word(10) & 0x0FFF)
        while place + 5 <= bytes.count - 4 {
            let end = place + 5 + (word(place + 3) & 0x0FFF)
            guard end <= bytes.count - 4 else { break }
            streams.append(
                Stream(
                    type: bytes[place], number: word(place + 1) & 0x1FFF, descriptors: Array(bytes[(place + 5)..<end]),
                    bytes: Array(bytes[place..<end])))
            place = end
        }
        return streams
    }

    /// What a stream of a map may be beside what it is called; nil where its type says it. DTS has three numbers on Blu-ray discs, which stand for
    /// other things elsewhere, and one that demuxers know everywhere.
    func otherType(of stream: Stream) -> UInt8? {
        switch stream.type {
        case 0x03, 0x04: Stream.aac
        case 0x82, 0x85, 0x86: isDisc ? nil : Stream.dts
        case 0x06: stream.codecTags.contains(0x7B) ? Stream.dts : nil
        default: nil
        }
    }

    /// Whether a map's own descriptors say that it is a Blu-ray disc's.
    private var isDisc: Bool {
        let descriptors = bytes.dropFirst(12).prefix(word(10) & 0x0FFF)
        return descriptors.firstRange(of: Array("HDMV".utf8)) != nil
    }

    /// A map with more streams; nil where it would be too long to be sent.
    ///
    /// - Parameter misnamed: what streams are, by their packets' numbers, whatever the map calls them.
    func adding(_ streams: [Stream], calling misnamed: [Int: UInt8]) -> TransportSection? {
        var (result, place) = (self, 12 + (word(10) & 0x0FFF))
        for stream in self.streams {
            if let type = misnamed[stream.number] { result.bytes[place] = type }
            place += stream.bytes.count
        }
        result.bytes.replaceSubrange((bytes.count - 4)..., with: streams.flatMap(\.bytes))
        // Behind the length stand the rest and the checksum; of its 12 bits the first two are 0.
        let length = result.bytes.count - 3 + 4
        guard length <= 1021 else { return nil }
        result.bytes[1] = bytes[1] & 0xF0 | UInt8(length >> 8)
        result.bytes[2] = UInt8(length & 0xFF)
        result.bytes += withUnsafeBytes(of: Self.checksum(result.bytes[...]).bigEndian, Array.init)
        return result
    }

    /// CRC_32 (ISO/IEC 13818-1, annex A); 0 where it is part of the bytes.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
                sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
            }
        }
    }
}

/// Puts tables together from their packets.
struct TransportSectionReader: Sendable, Hashable {
    /// What has come of those that are read, by the packets' number.
    private var parts: [Int: [UInt8]] = [0: []]

    func reads(_ number: Int) -> Bool { parts[number] != nil }

    mutating func follow(_ numbers: [Int]) {
        for number in numbers where parts[number] == nil { parts[number] = [] }
    }

    /// - Returns: the table that ends in a packet.
    mutating func take(_ packet: TransportPacket) -> TransportSection? {
        let content = packet.content
        guard var section = parts[packet.number], var place = content.indices.first else { return nil }
        if packet.beginsUnit {
            place += 1 + Int(content[place])
            section = []
            guard place < content.endIndex else { return nil }
        } else if section.isEmpty {
            return nil
        }
        section += content[place...]
        let length = section.count >= 3 ? 3 + (Int(section[1] & 0x0F) << 8 | Int(section[2])) : .max
        guard section.count >= length else {
            parts[packet.number] = section
            return nil
        }
        parts[packet.number] = []
        return TransportSection(Array(section[..<length]))
    }
}
