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
        let places = stride(from: 0, through: bytes.count - TransportPacket.size, by: length)
        var maps: Set<Int> = [0]
        var found: [Int: Int] = [:]
        var begins: Int?
        // An association behind the maps that it names is not waited for: they come again.
        for (index, place) in places.enumerated() where bytes[place] == TransportPacket.synchronisation {
            let (number, isTable, isStream) = Self.packet(at: place, of: bytes) {
                ($0.number, $0.beginsUnit && maps.contains($0.number), $0.beginsPacketized)
            }
            if isTable, found[number] == nil {
                guard let section = Self.section(at: place, of: bytes) else { return nil }
                found[number] = index
                if number == 0 { maps.formUnion(TransportSection(Array(bytes[section]))?.programMaps ?? []) }
            } else if begins == nil, !maps.contains(number), isStream {
                begins = index
            }
            if found.count == maps.count, maps.count > 1 { break }
        }
        // Recordings of one program often keep the association of all that were sent.
        guard found[0] != nil, found.count > 1 else { return nil }
        let tables = found.values.sorted()
        (self.tables, areLate) = (tables, begins.map { $0 < tables[tables.count - 1] } ?? false)
    }

    /// How many bytes there are up to the last table's end.
    var size: Int { tables[tables.count - 1] * length + TransportPacket.size }

    /// These bytes with the tables before all else. What lies between packets stays where it is.
    func inFront() -> [UInt8] {
        var result = Array(bytes[..<size])
        let others = (0...tables[tables.count - 1]).filter { !tables.contains($0) }
        for (place, index) in (tables + others).enumerated() {
            result.replaceSubrange(
                place * length..<place * length + TransportPacket.size,
                with: bytes[index * length..<index * length + TransportPacket.size])
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
        guard let range = Self.section(at: place, of: bytes) else { return false }
        var section = Array(bytes[range])
        // The adaptation field's length, its flags and the value; the section's pointer.
        let padding = TransportPacket.size - 4 - 8 - 1 - section.count
        guard section.count > 16, padding >= 0 else { return false }
        (section[8], section[9]) = (0xE0 | bytes[place + 1] & 0x1F, bytes[place + 2])
        let checked = section.count - 4
        section.replaceSubrange(
            checked..., with: withUnsafeBytes(of: TransportSection.checksum(section[..<checked]).bigEndian, Array.init))
        let field = [UInt8(7 + padding), 0x10] + clock + [UInt8](repeating: 0xFF, count: padding)
        bytes[place + 3] = bytes[place + 3] & 0x0F | 0x30
        bytes.replaceSubrange(place + 4..<place + TransportPacket.size, with: field + [0] + section)
        return true
    }

    /// Says in which packets the clock of the only program is, where its map says that there is none.
    ///
    /// - Returns: false where there are several programs, and where the map tells of a clock.
    mutating func tellClock(in number: Int) -> Bool {
        guard tables.count == 2, let index = tables.first(where: { self.number(of: $0) != 0 }),
            let range = Self.section(at: index * length, of: bytes), range.count > 16
        else { return false }
        let place = range.lowerBound + 8
        guard Int(bytes[place] & 0x1F) << 8 | Int(bytes[place + 1]) == TransportPacket.padding else { return false }
        (bytes[place], bytes[place + 1]) = (0xE0 | UInt8(number >> 8), UInt8(number & 0xFF))
        let checked = range.lowerBound..<range.upperBound - 4
        let checksum = withUnsafeBytes(of: TransportSection.checksum(bytes[checked]).bigEndian, Array.init)
        bytes.replaceSubrange(checked.upperBound..<range.upperBound, with: checksum)
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
        let padding = TransportPacket.size - 4 - 1 - section.bytes.count
        // Some fill the packet up behind the table, and some with a field in front that tells nothing.
        let isPlain = bytes[place + 3] & 0x20 == 0 || bytes[place + 4] == 0 || bytes[place + 5] == 0
        guard padding >= 0, isPlain else { return nil }
        // A payload alone, in which the table begins at once.
        bytes[place + 3] = bytes[place + 3] & 0x0F | 0x10
        bytes.replaceSubrange(
            place + 4..<place + TransportPacket.size,
            with: [0] + section.bytes + [UInt8](repeating: 0xFF, count: padding))
        return index
    }

    private func number(of index: Int) -> Int { Self.packet(at: index * length, of: bytes, \.number) }

    private static func packet<Value>(at place: Int, of bytes: [UInt8], _ body: (TransportPacket) -> Value) -> Value {
        bytes.withUnsafeBytes { body(TransportPacket(.init(rebasing: $0[place..<place + TransportPacket.size]))) }
    }

    /// Where the first section lies that begins in a packet; nil where it is not whole.
    private static func section(at place: Int, of bytes: [UInt8]) -> Range<Int>? {
        guard let payload = packet(at: place, of: bytes, \.payload).map({ $0 + place }) else { return nil }
        let (begin, last) = (payload + 1 + Int(bytes[payload]), place + TransportPacket.size)
        guard begin + 3 <= last else { return nil }
        let end = begin + 3 + (Int(bytes[begin + 1] & 0x0F) << 8 | Int(bytes[begin + 2]))
        return end <= last && end - begin >= 12 ? begin..<end : nil
    }
}
