package import SystemPackage

/// Where a program stream ends (ISO/IEC 13818-1, 2.5.3; ISO/IEC 11172-1, 2.4.3): behind a packet, or within one that was cut off.
package enum ProgramStreamEnd {
    /// More than two of the longest packets.
    private static let tail: UInt64 = 160 << 10
    private static let (packStart, programEnd): (UInt8, UInt8) = (0xBA, 0xB9)

    /// How many bytes its last packet lacks.
    ///
    /// - Returns: nil where none are missing, where nobody can tell, and for any other file.
    /// - Throws: `notAFile`, `system`.
    package static func missingBytes(_ path: FilePath) throws(MovieFileError) -> Int? {
        try ReadableFile.open(path) { (file) throws(MovieFileError) -> Int? in
            guard try file.read(upTo: 4, at: 0).elementsEqual([0, 0, 1, packStart]) else { return nil }
            let start = file.size > tail ? file.size - tail : 0
            let bytes = try file.read(upTo: Int(file.size - start), at: start)
            // What looks like the head of a pack may lie in a frame: packets follow a true one to the end.
            for place in bytes.indices.dropLast(3) where bytes[place...].starts(with: [0, 0, 1, packStart]) {
                if let missing = missing(bytes[place...]) { return missing > 0 ? missing : nil }
            }
            return nil
        }
    }

    /// - Returns: how many bytes the last packet lacks; nil where something else follows a packet.
    private static func missing(_ bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        while rest.count >= 4 {
            guard rest.starts(with: [0, 0, 1]), let length = length(rest) else { return nil }
            guard length <= rest.count else { return length - rest.count }
            rest = rest.dropFirst(length)
        }
        return 0
    }

    /// Of what begins here, or as much of its head as is missing; nil for what is no part of a stream.
    private static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
        let bytes = ArraySlice(Array(bytes.prefix(14)))
        switch bytes[3] {
        case programEnd: return 4
        case packStart:
            guard bytes.count >= 5 else { return 14 }
            if bytes[4] & 0xF0 == 0x20 { return 12 }
            guard bytes[4] & 0xC0 == 0x40 else { return nil }
            return bytes.count < 14 ? 14 : 14 + Int(bytes[13] & 7)
        // The header of the system, its map, and all kinds of streams.
        case 0xBB...0xFF: return bytes.count < 6 ? 6 : 6 + (Int(bytes[4]) << 8 | Int(bytes[5]))
        default: return nil
        }
    }
}
