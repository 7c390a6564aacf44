package import SystemPackage

/// An APEv2 tag, as it lies behind the audio of Monkey's Audio, WavPack, Musepack and True Audio (hydrogenaud.io, "APEv2 specification").
/// GStreamer (1.22) hands its texts on and leaves out its covers.
package struct APETag: Sendable {
    /// Its covers, the front cover first.
    package private(set) var covers: [CoverArt] = []
    private var imageCount = 0
    /// By their keys in small letters.
    private var texts: [String: String] = [:]

    private static let footerSize = 32
    /// Of a tag; covers are no longer.
    private static let maximumSize = 16 << 20

    /// Blocks.
    ///
    /// - Returns: nil for a file without one.
    package init?(reading path: FilePath) {
        let tag = try? ReadableFile.open(path) { (file) throws(MovieFileError) in try APETag(file) }
        guard let tag = tag ?? nil else { return nil }
        self = tag
    }

    init?(_ file: ReadableFile) throws(MovieFileError) {
        // An ID3v1 tag may lie behind it.
        for behind in [0, 128] as [UInt64] where file.size > behind + UInt64(Self.footerSize) {
            let end = file.size - behind
            let footer = try file.read(upTo: Self.footerSize, at: end - UInt64(Self.footerSize))
            guard footer.starts(with: "APETAGEX".utf8) else { continue }
            let size = min(Self.number(footer[12..<16]), Self.maximumSize)
            guard size >= Self.footerSize, UInt64(size) <= end else { continue }
            read(try file.read(upTo: size - Self.footerSize, at: end - UInt64(size))[...])
            return
        }
        return nil
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while rest.count > 8 {
            let (size, flags) = (Self.number(rest.prefix(4)), Self.number(rest.dropFirst(4).prefix(4)))
            rest = rest.dropFirst(8)
            guard let end = rest.firstIndex(of: 0), size <= rest.endIndex - end - 1 else { break }
            let (key, value) = (rest[..<end], rest[(end + 1)...].prefix(size))
            rest = rest[(end + 1)...].dropFirst(size)
            let name = String(decoding: key, as: UTF8.self).lowercased()
            // Not bytes, and not the address of anything.
            if flags & 6 == 0, !value.isEmpty {
                texts[name] = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
            } else if flags & 6 == 2, name.hasPrefix("cover art") {
                imageCount += 1
                // Behind its file's name.
                guard let cover = CoverArt(value.drop { $0 != 0 }.dropFirst()) else { continue }
                covers.insert(cover, at: name.hasSuffix("(front)") ? 0 : covers.endIndex)
            }
        }
    }

    package var metadata: MovieMetadata {
        var metadata = MovieMetadata(named: texts)
        metadata.creationDate = (texts["year"] ?? texts["date"]).flatMap { MovieDate($0) }
        metadata.artwork = covers.isEmpty ? nil : covers.flatMap(\.item)
        return metadata
    }

    /// In words, what it says that no output has a place for here.
    package var unkept: [String] {
        imageCount > covers.count ? ["cover"] : []
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
