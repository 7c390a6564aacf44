package import MediaTypes
package import SystemPackage

/// What a Musepack file says of itself: its length, and the APEv2 tag behind its audio. GStreamer (1.22) does not find out reliably.
package struct MusepackFile: Sendable {
    /// As ffprobe names it: `musepack7`, `musepack8`.
    package let codec: String
    /// In hertz; nil where its head has a number that stands for none.
    package let rate: Int?
    package let channels: Int
    /// nil of versions before 8.
    package private(set) var duration: MediaTime?
    package private(set) var metadata = MovieMetadata()
    /// Its covers, the front cover first.
    package let covers: [CoverArt]

    private static let footerSize = 32
    /// Of a tag; covers are no longer.
    private static let maximumSize = 16 << 20

    /// - Returns: nil for any other file.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) -> (Head, Tags)? in
            let head = try file.read(upTo: 64, at: 0)
            if head.starts(with: "MPCK".utf8) { return (Head(ofVersion8: head), try Self.tags(file)) }
            guard head.starts(with: "MP+".utf8), head.count == 64 else { return nil }
            return (Head(rate: Self.rate(Int(head[10] & 3))), try Self.tags(file))
        }
        guard let (head, tags) = found else { return nil }
        (codec, rate, channels, duration) = (head.codec, head.rate, head.channels, head.duration)
        let texts = tags.texts
        (metadata.title, metadata.artist, metadata.album) = (texts["title"], texts["artist"], texts["album"])
        (metadata.genre, metadata.comment) = (texts["genre"], texts["comment"])
        metadata.copyright = texts["copyright"]
        covers = tags.covers
        metadata.artwork = covers.isEmpty ? nil : covers.flatMap(\.item)
    }

    fileprivate struct Tags {
        /// By their keys in small letters.
        var texts: [String: String] = [:]
        var covers: [CoverArt] = []
    }

    fileprivate struct Head {
        var codec = "musepack7"
        var rate: Int?
        var channels = 2
        var duration: MediaTime?
    }

    fileprivate static func rate(_ code: Int) -> Int? {
        let rates = [44_100, 48_000, 37_800, 32_000]
        return rates.indices.contains(code) ? rates[code] : nil
    }

    private static func tags(_ file: ReadableFile) throws(MovieFileError) -> Tags {
        // An ID3v1 tag may lie behind it.
        for behind in [0, 128] as [UInt64] where file.size > behind + UInt64(footerSize) {
            let end = file.size - behind
            let footer = try file.read(upTo: footerSize, at: end - UInt64(footerSize))
            guard footer.starts(with: "APETAGEX".utf8) else { continue }
            let size = min(number(footer[12..<16]), maximumSize)
            guard size >= footerSize, UInt64(size) <= end else { continue }
            return items(try file.read(upTo: size - footerSize, at: end - UInt64(size))[...])
        }
        return Tags()
    }

    private static func items(_ bytes: ArraySlice<UInt8>) -> Tags {
        var (rest, items) = (bytes, Tags())
        while rest.count > 8 {
            let (size, flags) = (number(rest.prefix(4)), number(rest.dropFirst(4).prefix(4)))
            rest = rest.dropFirst(8)
            guard let end = rest.firstIndex(of: 0), size <= rest.endIndex - end - 1 else { break }
            let (key, value) = (rest[..<end], rest[(end + 1)...].prefix(size))
            rest = rest[(end + 1)...].dropFirst(size)
            let name = String(decoding: key, as: UTF8.self).lowercased()
            // Not bytes, and not the address of anything.
            if flags & 6 == 0, !value.isEmpty {
                items.texts[name] = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
            } else if flags & 6 == 2, name.hasPrefix("cover art") {
                // Behind its file's name.
                guard let cover = CoverArt(value.drop { $0 != 0 }.dropFirst()) else { continue }
                items.covers.insert(cover, at: name.hasSuffix("(front)") ? 0 : items.covers.endIndex)
            }
        }
        return items
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
}

extension MusepackFile.Head {
    /// Its first packet (`SH`) says a checksum, the version, how many samples there are and how many of them are silence at the beginning,
    /// then the rate and the channels.
    fileprivate init(ofVersion8 head: [UInt8]) {
        codec = "musepack8"
        guard head.count == 64, head[4..<6].elementsEqual("SH".utf8) else { return }
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
        (rate, channels) = (MusepackFile.rate(Int(head[place] >> 5)), Int(head[place + 1] >> 4) + 1)
        if let rate, samples > silence { duration = MediaTime(samples: samples - silence, rate: rate) }
    }
}
