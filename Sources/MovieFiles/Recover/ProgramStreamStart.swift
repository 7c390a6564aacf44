package import SystemPackage

/// Where a program stream was begun to be recorded: within a group of frames, as of a broadcast.
package enum ProgramStreamStart {
    /// How much of it is looked at, in bytes.
    private static let searched: UInt64 = 16 << 20
    private static let (frame, sequence): (UInt8, UInt8) = (0x00, 0xB3)

    /// How many frames of its first video begin before the first header of a sequence (ISO/IEC 13818-2, 6.2.2), which says how large they are:
    /// mpegvideoparse (1.22) drops them without a word. Blocks.
    ///
    /// - Returns: 0 where there is no such header, and for any other file.
    /// - Throws: `notAFile`, `system`.
    package static func leadingFrames(_ path: FilePath) throws(MovieFileError) -> Int {
        try ReadableFile.open(path) { (file) throws(MovieFileError) -> Int in
            var cursor = ProgramStreamCursor(file, searched: searched, headSize: 14)
            var (count, last, number) = (0, UInt32.max, UInt8?.none)
            while let head = try cursor.next() {
                guard (0xE0...0xEF).contains(head[3]), number == nil || number == head[3] else { continue }
                number = head[3]
                let length = Int(head[4]) << 8 | Int(head[5])
                // Before its content stands when it is shown; of MPEG-1 no start code can be among that.
                let skipped = head[6] & 0xC0 == 0x80 ? 3 + Int(head[8]) : 0
                for byte in try file.read(upTo: length, at: cursor.begin + 6).dropFirst(skipped) {
                    last = last << 8 | UInt32(byte)
                    guard last & 0xFFFF_FF00 == 0x100 else { continue }
                    if byte == sequence { return count }
                    if byte == frame { count += 1 }
                }
            }
            return 0
        }
    }
}
