/// A transport stream of ffmpeg's whose maps call a stream something else than it is (ISO/IEC 13818-1, table 2-34).
public enum MisnamedStreams {
    /// - Parameters:
    ///   - type: which the maps say.
    ///   - other: which they are to say.
    public static func applied(to stream: [UInt8], calling type: UInt8, _ other: UInt8) -> [UInt8] {
        var (bytes, maps) = (stream, 0)
        for packet in stride(from: 0, to: bytes.count, by: 188)
        where bytes[packet + 1] & 0x40 != 0 && bytes[packet + 3] & 0x20 == 0 && bytes[packet + 4] == 0
            && bytes[packet + 5] == 2
        {
            let begin = packet + 5
            let end = begin + 3 + (Int(bytes[begin + 1] & 0x0F) << 8 | Int(bytes[begin + 2]))
            guard let place = (begin + 12..<end - 4).first(where: { bytes[$0] == type && bytes[$0 + 1] & 0xE0 == 0xE0 })
            else { continue }
            bytes[place] = other
            var sum = UInt32.max
            for byte in bytes[begin..<end - 4] {
                sum ^= UInt32(byte) << 24
                for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
            }
            for index in 0..<4 { bytes[end - 4 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * index)) }
            maps += 1
        }
        precondition(maps > 1, "no map names such a stream")
        return bytes
    }
}
