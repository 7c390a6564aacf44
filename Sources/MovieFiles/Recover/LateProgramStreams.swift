package import SystemPackage

/// Which streams of a program stream mpegpsdemux (GStreamer 1.22) says nothing of: two seconds behind the first pack, by the stream's own clock, it
/// has named all there will be, and drops what begins later.
package enum LateProgramStreams {
    /// How much of it is looked at, in bytes.
    private static let searched: UInt64 = 64 << 20
    /// On the clock of 90 kHz.
    private static let named: Int64 = 2 * 90_000

    /// Whether video or audio begins later than that. Blocks.
    ///
    /// - Throws: `notAFile`, `system`.
    package static func exist(in path: FilePath) throws(MovieFileError) -> Bool {
        try ReadableFile.open(path) { (file) throws(MovieFileError) -> Bool in
            var cursor = ProgramStreamCursor(file, searched: searched, headSize: headSize)
            var (first, now, known): (Int64?, Int64, Set<UInt16>) = (nil, 0, [])
            while let head = try cursor.next() {
                if head[3] == ProgramStreamCursor.pack {
                    now = clock(head)
                    first = first ?? now
                } else if let stream = stream(head), let first, known.insert(stream).inserted, now - first > named {
                    return true
                }
            }
            return false
        }
    }

    /// Of a packet, with the longest of what stands before its content.
    private static let headSize = 9 + 255 + 1

    /// When the pack comes (ISO/IEC 13818-1, 2.5.3.3; ISO/IEC 11172-1, 2.4.3.2).
    private static func clock(_ head: [UInt8]) -> Int64 {
        let bytes = head[4..<9].map { Int64($0) }
        return head[4] & 0xC0 == 0x40
            ? (bytes[0] >> 3 & 7) << 30 | (bytes[0] & 3) << 28 | bytes[1] << 20 | (bytes[2] >> 3) << 15 | (bytes[2] & 3)
                << 13
                | bytes[3] << 5 | bytes[4] >> 3
            : (bytes[0] >> 1 & 7) << 30 | bytes[1] << 22 | (bytes[2] >> 1) << 15 | bytes[3] << 7 | bytes[4] >> 1
    }

    /// The number of its video or audio, DVDs' among what is private too; nil of what is neither.
    private static func stream(_ head: [UInt8]) -> UInt16? {
        switch head[3] {
        case 0xC0...0xEF: return UInt16(head[3])
        case 0xBD where head[6] & 0xC0 == 0x80:
            let content = 9 + Int(head[8])
            guard content < head.count, (0x80...0x8F).contains(head[content]) || (0xA0...0xA7).contains(head[content])
            else { return nil }
            return 0x100 | UInt16(head[content])
        default: return nil
        }
    }
}
