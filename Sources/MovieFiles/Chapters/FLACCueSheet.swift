import MediaTypes
package import SystemPackage

/// The tracks of a FLAC file that is a whole CD (RFC 9639, section 8.7).
package enum FLACCueSheet {
    /// Of its blocks of metadata; covers among them are passed over.
    private static let maximumCount = 1000
    /// What stands before the tracks, before the indexes of one, and in each of these.
    private static let (head, track, index) = (396, 36, 12)

    /// Empty where a file has none. Blocks.
    ///
    /// - Throws: `notAFile`, `system`.
    package static func read(_ path: FilePath) throws(MovieFileError) -> [MovieInfo.Chapter] {
        try ReadableFile.open(path) { (file) throws(MovieFileError) -> [MovieInfo.Chapter] in
            guard try file.read(upTo: 4, at: 0).elementsEqual("fLaC".utf8) else { return [] }
            var (place, rate) = (UInt64(4), UInt32(0))
            for _ in 0..<maximumCount {
                let header = try file.read(upTo: 4, at: place)
                guard header.count == 4 else { return [] }
                let size = Int(header[1]) << 16 | Int(header[2]) << 8 | Int(header[3])
                switch header[0] & 0x7F {
                case 0:
                    let told = try file.read(upTo: size, at: place + 4)
                    rate = (UInt32(bigEndianBytes: told.dropFirst(10).prefix(4)) ?? 0) >> 12
                case 5 where rate > 0: return chapters(try file.read(upTo: size, at: place + 4), rate: Int(rate))
                default: break
                }
                guard header[0] & 0x80 == 0 else { return [] }
                place += 4 + UInt64(size)
            }
            return []
        }
    }

    private static func chapters(_ sheet: [UInt8], rate: Int) -> [MovieInfo.Chapter] {
        var chapters: [MovieInfo.Chapter] = []
        var rest = sheet.dropFirst(head)
        while rest.count >= track, let offset = UInt64(bigEndianBytes: rest.prefix(8)) {
            let number = rest[rest.startIndex + 8]
            // Where the last one ends is a track too, of a number that no other has.
            guard number != 170, number != 255 else { break }
            chapters.append(.init(start: MediaTime(seconds: Double(offset) / Double(rate)), title: "Track \(number)"))
            rest = rest.dropFirst(track + index * Int(rest[rest.startIndex + track - 1]))
        }
        return chapters
    }
}
