package import SystemPackage

/// What a Windows Media file says of itself: GStreamer (1.22) has no genre of it, takes who made an album for an artist, and other numbers for a
/// comment; of several images it hands on one, and none where the first is neither JPEG nor PNG.
package struct ASFTags: Sendable {
    package private(set) var metadata = MovieMetadata()
    /// In words, what it says that no output has a place for here.
    package let unkept: [String]

    private static let content = "3326B275-8E66-CF11-A6D9-00AA0062CE6C"

    /// Blocks.
    ///
    /// - Returns: nil for any other file.
    /// - Throws: `system`.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let header = try ReadableFile.open(path) { (file) throws(MovieFileError) in try ASFHeader(file) }
        guard let header else { return nil }
        let attributes = header.attributes
        let images = ASFImage.all(in: attributes)
        let covers = images.compactMap { CoverArt($0.bytes) }
        unkept = images.count > covers.count ? ["cover"] : []
        metadata.artwork = covers.isEmpty ? nil : covers.flatMap(\.item)

        // Title, author, copyright, description and rating: the length of each, then each.
        let described = header[Self.content] ?? []
        var (lengths, rest) = (described.prefix(10), described.dropFirst(10))
        let texts = (0..<5).map { _ -> String? in
            let length = ASFHeader.number(lengths, 2) ?? 0
            defer { (lengths, rest) = (lengths.dropFirst(2), rest.dropFirst(length)) }
            let text = ASFHeader.text(rest.prefix(length))
            return text.isEmpty ? nil : text
        }
        func text(_ name: String) -> String? { attributes.lazy.filter { $0.name == name }.compactMap(\.text).first }
        /// Of several all, each once.
        func all(_ first: String?, _ names: [String], separator: String) -> String? {
            let others = attributes.filter { names.contains($0.name) }.compactMap(\.text)
            let each = ([first].compactMap(\.self) + others).reduce(into: [String]()) { each, text in
                if !each.contains(text) { each.append(text) }
            }
            return each.isEmpty ? nil : each.joined(separator: separator)
        }
        (metadata.title, metadata.copyright) = (texts[0], texts[2])
        metadata.artist = all(texts[1], ["Author"], separator: ";")
        // As programs for music call it; others write their own beside it, ffmpeg the second.
        metadata.comment = all(texts[3], ["Description", "WM/Comments", "Comment"], separator: "\n")
        metadata.album = text("WM/AlbumTitle")
        metadata.genre = all(nil, ["WM/Genre"], separator: ";")
    }
}

/// An image among the attributes of a Windows Media file, its covers among them.
private struct ASFImage {
    /// As a file of its kind.
    let bytes: [UInt8]
    private let isFront: Bool

    private static let frontCover: UInt8 = 3

    /// The front cover first.
    static func all(in attributes: [ASFHeader.Attribute]) -> [ASFImage] {
        let images = attributes.filter { $0.name == "WM/Picture" }.compactMap { ASFImage($0.value) }
        return images.filter(\.isFront) + images.filter { !$0.isFront }
    }

    /// What it shows, its size, two texts that end with zeros, and it.
    private init?(_ value: ArraySlice<UInt8>) {
        guard let kind = value.first, let size = ASFHeader.number(value.dropFirst(1), 4), size > 0 else { return nil }
        var rest = value.dropFirst(5)
        for _ in 0..<2 {
            while rest.count >= 2, rest.prefix(2).contains(where: { $0 != 0 }) { rest = rest.dropFirst(2) }
            rest = rest.dropFirst(2)
        }
        guard rest.count >= size else { return nil }
        (bytes, isFront) = (Array(rest.prefix(size)), kind == Self.frontCover)
    }
}
