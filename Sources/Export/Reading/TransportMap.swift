import Foundation
import SystemPackage

/// What a transport stream's tables say it holds (ISO/IEC 13818-1, 2.4.4), as far as its first megabytes tell.
struct TransportMap: Sendable {
    private(set) var streams: [DeclaredStream] = []

    /// Tables come again ten times a second; the fastest streams have 4 MB in that.
    private static let length = 4 << 20

    /// - Returns: nil where the file is no transport stream, or has no tables. Blocks.
    init?(_ location: String) {
        guard let file = try? FileDescriptor.open(FilePath(location), .readOnly, options: .closeOnExec) else {
            return nil
        }
        defer { try? file.close() }
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.length) { buffer, count in
            while count < Self.length,
                let read = try? file.read(into: .init(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])),
                read > 0
            {
                count += read
            }
        }
        self.init(bytes)
    }

    init?(_ bytes: [UInt8]) {
        guard let (first, length) = TransportPackets.first(in: bytes) else { return nil }
        var sections = SectionReader([0])
        var seen: Set<Int> = []
        for start in TransportPackets.all(in: bytes, from: first, length) {
            for section in sections.take(bytes[start..<start + 188]) {
                if section.isAssociation {
                    sections.follow(section.programMaps)
                } else if seen.insert(section.identifier).inserted {
                    streams += section.streams
                }
            }
            if !seen.isEmpty, seen.count == sections.followed { break }
        }
        guard !seen.isEmpty else { return nil }
    }
}

/// Puts the tables of a transport stream together from its packets.
private struct SectionReader {
    private var parts: [Int: [UInt8]]
    /// How many program maps there are.
    private(set) var followed = 0

    init(_ packets: [Int]) { parts = Dictionary(uniqueKeysWithValues: packets.map { ($0, []) }) }

    mutating func follow(_ packets: [Int]) {
        for packet in packets where parts[packet] == nil {
            parts[packet] = []
            followed += 1
        }
    }

    /// - Returns: the tables that end in this packet.
    mutating func take(_ packet: ArraySlice<UInt8>) -> [Section] {
        let bytes = Array(packet)
        let number = Int(bytes[1] & 0x1F) << 8 | Int(bytes[2])
        guard var section = parts[number], bytes[3] & 0x10 != 0 else { return [] }
        var place = 4
        if bytes[3] & 0x20 != 0 { place += 1 + Int(bytes[4]) }
        guard place < bytes.count else { return [] }
        if bytes[1] & 0x40 != 0 {
            place += 1 + Int(bytes[place])
            section = []
            guard place < bytes.count else { return [] }
        } else if section.isEmpty {
            return []
        }
        section += bytes[place...]
        guard section.count >= 3 else {
            parts[number] = section
            return []
        }
        let length = 3 + (Int(section[1] & 0x0F) << 8 | Int(section[2]))
        guard section.count >= length, length > 12 else {
            parts[number] = section
            return []
        }
        parts[number] = []
        return [Section(Array(section[..<length]))].compactMap(\.self)
    }
}

/// A program association or program map table.
private struct Section {
    private let bytes: [UInt8]

    init?(_ bytes: [UInt8]) {
        guard bytes[0] == 0 || bytes[0] == 2, bytes[5] & 1 == 1 else { return nil }
        self.bytes = bytes
    }

    var isAssociation: Bool { bytes[0] == 0 }
    /// The program's number.
    var identifier: Int { word(3) }

    private func word(_ place: Int) -> Int { Int(bytes[place]) << 8 | Int(bytes[place + 1]) }

    /// Where each program's map is, of an association. Program 0 is the network's.
    var programMaps: [Int] {
        stride(from: 8, through: bytes.count - 8, by: 4).compactMap { word($0) == 0 ? nil : word($0 + 2) & 0x1FFF }
    }

    /// Of a map.
    var streams: [DeclaredStream] {
        var streams: [DeclaredStream] = []
        var place = 12 + (word(10) & 0x0FFF)
        while place + 5 <= bytes.count - 4 {
            let end = place + 5 + (word(place + 3) & 0x0FFF)
            guard end <= bytes.count - 4 else { break }
            let (kind, codec) = TransportCodec.name(of: bytes[place], Array(bytes[(place + 5)..<end]))
            let suffix = String(format: "%08x", word(place + 1) & 0x1FFF)
            streams.append(DeclaredStream(kind: kind, codec: codec, suffix: suffix, program: identifier))
            place = end
        }
        return streams
    }
}
