import SystemPackage

/// The beginning of a transport stream, up to the tables that tell what it holds (ISO/IEC 13818-1, 2.4.4).
struct TransportTables {
    /// From the first packet on.
    var bytes: [UInt8]
    /// Of a packet, with what a camera or a broadcaster puts around it.
    private let length: Int
    /// Which packets hold the first association and the first map of each program, each whole; in order.
    private let tables: [Int]
    /// Whether something begins before them that they tell of.
    let areLate: Bool

    /// How many packets are looked at.
    private static let searched = 4096
    private static let packetSize = 188

    /// nil where the tables are not there, or do not fit into a packet each. Blocks.
    init?(_ file: FileDescriptor, from start: UInt64, _ length: Int) {
        var block = [UInt8](repeating: 0, count: length * Self.searched)
        guard
            let count = try? block.withUnsafeMutableBytes({ try file.read(fromAbsoluteOffset: Int64(start), into: $0) })
        else { return nil }
        self.init(Array(block[..<count]), length)
    }

    init?(_ bytes: [UInt8], _ length: Int) {
        (self.bytes, self.length) = (bytes, length)
        let places = stride(from: 0, through: bytes.count - Self.packetSize, by: length)
        var maps: Set<Int> = [0]
        var found: [Int: Int] = [:]
        var begins: Int?
        // An association behind the maps that it names is not waited for: they come again.
        for (index, place) in places.enumerated() where bytes[place] == 0x47 && bytes[place + 1] & 0x40 != 0 {
            let number = Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2])
            if maps.contains(number), found[number] == nil {
                guard let section = Self.section(bytes[place..<place + Self.packetSize]) else { return nil }
                found[number] = index
                if number == 0 { maps.formUnion(Self.maps(Array(bytes[section]))) }
            } else if begins == nil, !maps.contains(number), Self.isPacketized(bytes[place..<place + Self.packetSize]) {
                begins = index
            }
            if found.count == maps.count, maps.count > 1 { break }
        }
        guard maps.count > 1, found.count == maps.count else { return nil }
        let tables = found.values.sorted()
        (self.tables, areLate) = (tables, begins.map { $0 < tables[tables.count - 1] } ?? false)
    }

    /// How many bytes there are up to the last table's end.
    var size: Int { tables[tables.count - 1] * length + Self.packetSize }

    /// These bytes with the tables before all else. What lies between packets stays where it is.
    func inFront() -> [UInt8] {
        var result = Array(bytes[..<size])
        let others = (0...tables[tables.count - 1]).filter { !tables.contains($0) }
        for (place, index) in (tables + others).enumerated() {
            result.replaceSubrange(
                place * length..<place * length + Self.packetSize,
                with: bytes[index * length..<index * length + Self.packetSize])
        }
        return result
    }

    /// Gives the only program's map a value of a clock, and says that it is there.
    ///
    /// - Parameter clock: as it is stored: 33 bits, reserved ones, and the extension.
    /// - Returns: false where there are several programs, or the packet has no space for it.
    mutating func addClock(_ clock: [UInt8]) -> Bool {
        guard tables.count == 2, let index = tables.first(where: { number(of: $0) != 0 }) else { return false }
        let place = index * length
        guard let range = Self.section(bytes[place..<place + Self.packetSize]) else { return false }
        var section = Array(bytes[range])
        // The adaptation field's length, its flags and the value; the section's pointer.
        let padding = Self.packetSize - 4 - 8 - 1 - section.count
        guard section.count > 16, padding >= 0 else { return false }
        (section[8], section[9]) = (0xE0 | bytes[place + 1] & 0x1F, bytes[place + 2])
        let checked = section.count - 4
        section.replaceSubrange(
            checked..., with: withUnsafeBytes(of: TransportSection.checksum(section[..<checked]).bigEndian, Array.init))
        let field = [UInt8(7 + padding), 0x10] + clock + [UInt8](repeating: 0xFF, count: padding)
        bytes[place + 3] = bytes[place + 3] & 0x0F | 0x30
        bytes.replaceSubrange(place + 4..<place + Self.packetSize, with: field + [0] + section)
        return true
    }

    /// Puts another map where the first one of its program stands.
    ///
    /// - Parameter number: of the map's packets.
    /// - Returns: in which packet of these bytes it is now; nil where it is none of the tables, too long for one packet, or
    ///   what the packet has besides is in its place.
    mutating func replace(mapIn number: Int, by section: TransportSection) -> Int? {
        guard let index = tables.first(where: { self.number(of: $0) == number }) else { return nil }
        let place = index * length
        let padding = Self.packetSize - 4 - 1 - section.bytes.count
        guard padding >= 0, bytes[place + 3] & 0x20 == 0 else { return nil }
        // A payload alone, in which the table begins at once.
        bytes[place + 3] = bytes[place + 3] & 0x0F | 0x10
        bytes.replaceSubrange(
            place + 4..<place + Self.packetSize,
            with: [0] + section.bytes + [UInt8](repeating: 0xFF, count: padding))
        return index
    }

    private func number(of index: Int) -> Int {
        Int(bytes[index * length + 1] & 0x1F) << 8 | Int(bytes[index * length + 2])
    }

    private static func payload(_ packet: ArraySlice<UInt8>) -> Int? {
        let begin = packet.startIndex
        guard packet[begin + 3] & 0x10 != 0 else { return nil }
        let payload = begin + 4 + (packet[begin + 3] & 0x20 != 0 ? 1 + Int(packet[begin + 4]) : 0)
        return payload + 4 < packet.endIndex ? payload : nil
    }

    private static func isPacketized(_ packet: ArraySlice<UInt8>) -> Bool {
        payload(packet).map { packet[$0..<$0 + 3].elementsEqual([0, 0, 1]) } ?? false
    }

    /// Where the first section lies that begins in a packet; nil where it is not whole.
    private static func section(_ packet: ArraySlice<UInt8>) -> Range<Int>? {
        guard let payload = payload(packet) else { return nil }
        let begin = payload + 1 + Int(packet[payload])
        guard begin + 3 <= packet.endIndex else { return nil }
        let end = begin + 3 + (Int(packet[begin + 1] & 0x0F) << 8 | Int(packet[begin + 2]))
        return end <= packet.endIndex && end - begin >= 12 ? begin..<end : nil
    }

    /// The numbers of the packets that hold the maps of an association's programs. Program 0 is the network's.
    private static func maps(_ association: [UInt8]) -> [Int] {
        stride(from: 8, through: association.count - 8, by: 4).compactMap { place in
            let isNetwork = association[place] == 0 && association[place + 1] == 0
            return isNetwork ? nil : Int(association[place + 2] & 0x1F) << 8 | Int(association[place + 3])
        }
    }
}
