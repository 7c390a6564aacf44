package import MediaTypes
package import SystemPackage

/// What a Musepack file says of itself: its length, and the APEv2 tag behind its audio. GStreamer (1.22) does not find out reliably.
package struct MusepackFile: Sendable {
    /// nil of versions before 8.
    package private(set) var duration: MediaTime?
    package private(set) var metadata = MovieMetadata()

    private static let footerSize = 32
    /// Of a tag; covers are no longer.
    private static let maximumSize = 16 << 20

    /// - Returns: nil for any other file.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) -> (MediaTime?, [String: String])? in
            let head = try file.read(upTo: 64, at: 0)
            guard head.starts(with: "MPCK".utf8) || head.starts(with: "MP+".utf8) else { return nil }
            return (Self.duration(head), try Self.tags(file))
        }
        guard let found else { return nil }
        duration = found.0
        (metadata.title, metadata.artist, metadata.album) = (found.1["title"], found.1["artist"], found.1["album"])
        (metadata.genre, metadata.comment) = (found.1["genre"], found.1["comment"])
        metadata.copyright = found.1["copyright"]
    }

    /// Of version 8, whose first packet (`SH`) says it: a checksum, the version, how many samples there are and how many of them are silence
    /// at the beginning, then the rate.
    private static func duration(_ head: [UInt8]) -> MediaTime? {
        guard head.count == 64, head[4..<6].elementsEqual("SH".utf8) else { return nil }
        var place = 6
        /// Seven bits a byte, the highest first; the upper bit says that more follow.
        func number() -> Int {
            var value = 0
            while place < 40 {
                defer { place += 1 }
                value = (value & 0xFF_FFFF_FFFF) << 7 | Int(head[place] & 0x7F)
                if head[place] & 0x80 == 0 { break }
            }
            return value
        }
        _ = number()
        place += 5
        let (samples, silence) = (number(), number())
        let rates = [44_100, 48_000, 37_800, 32_000]
        let code = Int(head[place] >> 5)
        guard rates.indices.contains(code), samples > silence else { return nil }
        return MediaTime(samples: samples - silence, rate: rates[code])
    }

    private static func tags(_ file: ReadableFile) throws(MovieFileError) -> [String: String] {
        // An ID3v1 tag may lie behind it.
        for behind in [0, 128] as [UInt64] where file.size > behind + UInt64(footerSize) {
            let end = file.size - behind
            let footer = try file.read(upTo: footerSize, at: end - UInt64(footerSize))
            guard footer.starts(with: "APETAGEX".utf8) else { continue }
            let size = min(number(footer[12..<16]), maximumSize)
            guard size >= footerSize, UInt64(size) <= end else { continue }
            return items(try file.read(upTo: size - footerSize, at: end - UInt64(size))[...])
        }
        return [:]
    }

    /// Texts by their keys in small letters.
    private static func items(_ bytes: ArraySlice<UInt8>) -> [String: String] {
        var (rest, items) = (bytes, [String: String]())
        while rest.count > 8 {
            let (size, flags) = (number(rest.prefix(4)), number(rest.dropFirst(4).prefix(4)))
            rest = rest.dropFirst(8)
            guard let end = rest.firstIndex(of: 0), size <= rest.endIndex - end - 1 else { break }
            let (key, value) = (rest[..<end], rest[(end + 1)...].prefix(size))
            // Not bytes, and not the address of anything.
            if flags & 6 == 0, !value.isEmpty {
                items[String(decoding: key, as: UTF8.self).lowercased()] = String(
                    decoding: value.prefix { $0 != 0 }, as: UTF8.self)
            }
            rest = rest[(end + 1)...].dropFirst(size)
        }
        return items
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
