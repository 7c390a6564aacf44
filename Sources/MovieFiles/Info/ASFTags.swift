package import SystemPackage

/// What a Windows Media file says of itself: GStreamer (1.22) has no genre of it, takes who made an album for an
/// artist, and other numbers for a comment.
package enum ASFTags {
    private static let content = "3326B275-8E66-CF11-A6D9-00AA0062CE6C"
    private static let extended = "40A4D0D2-07E3-D211-97F0-00A0C95EA850"

    /// Blocks.
    ///
    /// - Returns: nil for any other file.
    /// - Throws: `system`.
    package static func read(_ path: FilePath) throws(MovieFileError) -> MovieMetadata? {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in try ASFHeader(file).map(metadata) }
    }

    private static func metadata(_ header: ASFHeader) -> MovieMetadata {
        var metadata = MovieMetadata()
        // Title, author, copyright, description and rating: the length of each, then each.
        let described = header[content] ?? []
        var (lengths, rest) = (described.prefix(10), described.dropFirst(10))
        let texts = (0..<5).map { _ -> String? in
            let length = ASFHeader.number(lengths, 2) ?? 0
            defer { (lengths, rest) = (lengths.dropFirst(2), rest.dropFirst(length)) }
            let text = ASFHeader.text(rest.prefix(length))
            return text.isEmpty ? nil : text
        }
        (metadata.title, metadata.artist, metadata.copyright) = (texts[0], texts[1], texts[2])
        let others = others(header[extended] ?? [])
        // As programs for music call it; the second is ffmpeg's.
        metadata.comment = texts[3] ?? others["Description"]
        (metadata.album, metadata.genre) = (others["WM/AlbumTitle"], others["WM/Genre"])
        return metadata
    }

    /// Texts by their names: how many values there are, and of each the name, what it is, and the value, both with their lengths.
    private static func others(_ data: ArraySlice<UInt8>) -> [String: String] {
        var (rest, found) = (data.dropFirst(2), [String: String]())
        for _ in 0..<(ASFHeader.number(data, 2) ?? 0) {
            guard let length = ASFHeader.number(rest, 2) else { break }
            let name = ASFHeader.text(rest.dropFirst(2).prefix(length))
            rest = rest.dropFirst(2 + length)
            guard let kind = ASFHeader.number(rest, 2), let size = ASFHeader.number(rest.dropFirst(2), 2) else { break }
            let text = kind == 0 ? ASFHeader.text(rest.dropFirst(4).prefix(size)) : ""
            if !text.isEmpty, found[name] == nil { found[name] = text }
            rest = rest.dropFirst(4 + size)
        }
        return found
    }
}
