import MediaTypes
package import SystemPackage

/// How long a Windows Media file is that was cut off: its File Properties Object says it (Advanced Systems Format, section 3.2).
package enum ASFLength {
    private static let header: [UInt8] = [
        0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
    ]
    private static let properties: [UInt8] = [
        0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
    ]

    /// - Returns: nil for a file that is whole or does not say how long it is, and for any other.
    /// - Throws: `notAFile`, `system`.
    package static func ofCutOff(_ path: FilePath) throws(MovieFileError) -> ToldLength? {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            // The properties stand among the first objects.
            let head = try file.read(upTo: 1 << 16, at: 0)
            guard head.starts(with: header),
                let place = head.indices.dropLast(104).dropFirst(30).first(where: {
                    head[$0...].starts(with: properties)
                })
            else { return nil }
            func number(_ offset: Int, _ count: Int) -> UInt64 {
                head[(place + offset)...].prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
            // Of the file; of all of it in 100 ns, with what is read before the first sample is presented, in milliseconds. A broadcast knows none.
            let (size, length, preroll, flags) = (number(40, 8), number(64, 8), number(80, 8), number(88, 4))
            guard size > file.size, flags & 1 == 0, length < 1 << 50, preroll < 1 << 30,
                length > preroll * 10_000
            else { return nil }
            let time = MediaTime(seconds: Double(length) / 1e7 - Double(preroll) / 1e3)
            var told = ToldLength(video: time, audio: time)
            told.isCutOff = true
            return told
        }
    }
}
