package import SystemPackage

/// Whether a program stream says when its frames are shown (ISO/IEC 13818-1, 2.4.3.7; ISO/IEC 11172-1, 2.4.4.3). mpegpsdemux (1.22) gives what has
/// no time none, and only some of its frames come out of decoders then.
package enum ProgramStreamTimes {
    /// How much of it is looked at, in bytes.
    private static let searched: UInt64 = 4 << 20

    /// Whether there are packets of video, none of which has a time. Blocks.
    ///
    /// - Throws: `notAFile`, `system`.
    package static func areMissing(in path: FilePath) throws(MovieFileError) -> Bool {
        try ReadableFile.open(path) { (file) throws(MovieFileError) -> Bool in
            var cursor = ProgramStreamCursor(file, searched: searched, headSize: headSize)
            var hasVideo = false
            while let head = try cursor.next() {
                guard (0xE0...0xEF).contains(head[3]) else { continue }
                if isTimed(head) { return false }
                hasVideo = true
            }
            return hasVideo
        }
    }

    /// Of a packet, with all stuffing that MPEG-1 allows in it.
    private static let headSize = 6 + 16 + 2 + 1

    private static func isTimed(_ head: [UInt8]) -> Bool {
        if head[6] & 0xC0 == 0x80 { return head[7] & 0x80 != 0 }
        // MPEG-1: stuffing, and how large a buffer it wants.
        var rest = head.dropFirst(6).drop { $0 == 0xFF }
        if let first = rest.first, first & 0xC0 == 0x40 { rest = rest.dropFirst(2) }
        return rest.first.map { $0 & 0xE0 == 0x20 } ?? false
    }
}
