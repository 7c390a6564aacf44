package import SystemPackage

/// The pictures of a Windows Media file, its covers among them: GStreamer (1.22) hands on one of several, and none where the first is neither JPEG
/// nor PNG.
package struct ASFPictures: Sendable {
    /// As files of their kinds, the front cover first.
    package let images: [[UInt8]]

    package var covers: [CoverArt] { images.compactMap { CoverArt($0) } }

    private static let extended = "40A4D0D2-07E3-D211-97F0-00A0C95EA850"
    private static let headerExtension = "B503BF5F-2EA9-CF11-8EE3-00C00C205365"
    /// Of what is too large for the other list, from 64 kB on.
    private static let library = "941C2344-9894-D149-A141-1D134E457054"
    private static let name = "WM/Picture"
    private static let frontCover: UInt8 = 3

    /// Blocks.
    ///
    /// - Returns: nil for any other file.
    /// - Throws: `system`.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let header = try ReadableFile.open(path) { (file) throws(MovieFileError) in try ASFHeader(file) }
        guard let header else { return nil }
        // Behind an identifier, a number and the size of the objects in it.
        let inner = ASFHeader.objects(in: header[Self.headerExtension]?.dropFirst(22) ?? [])
        let values =
            Self.short(header[Self.extended] ?? [])
            + inner.filter { $0.isOne(Self.library) }.flatMap { Self.long($0.data) }
        let pictures = values.compactMap(Self.picture)
        images = (pictures.filter(\.isFront) + pictures.filter { !$0.isFront }).map(\.bytes)
    }

    /// Of each value of the extended content description: the length of its name, that, what it is, its size, and it.
    private static func short(_ data: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var (rest, found) = (data.dropFirst(2), [ArraySlice<UInt8>]())
        while let length = ASFHeader.number(rest, 2) {
            let value = rest.dropFirst(2 + length)
            guard let size = ASFHeader.number(value.dropFirst(2), 2) else { break }
            if ASFHeader.text(rest.dropFirst(2).prefix(length)) == name {
                found.append(value.dropFirst(4).prefix(size))
            }
            rest = value.dropFirst(4 + size)
        }
        return found
    }

    /// Of each value of the metadata library: its language and stream, the length of its name, what it is, its size, the name, and it.
    private static func long(_ data: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var (rest, found) = (data.dropFirst(2), [ArraySlice<UInt8>]())
        while let length = ASFHeader.number(rest.dropFirst(4), 2), let size = ASFHeader.number(rest.dropFirst(8), 4) {
            let value = rest.dropFirst(12 + length)
            if ASFHeader.text(rest.dropFirst(12).prefix(length)) == name { found.append(value.prefix(size)) }
            rest = value.dropFirst(size)
        }
        return found
    }

    /// What it shows, its size, two texts that end with zeros, and it.
    private static func picture(_ value: ArraySlice<UInt8>) -> (isFront: Bool, bytes: [UInt8])? {
        guard let kind = value.first, let size = ASFHeader.number(value.dropFirst(1), 4), size > 0 else { return nil }
        var rest = value.dropFirst(5)
        for _ in 0..<2 {
            while rest.count >= 2, rest.prefix(2).contains(where: { $0 != 0 }) { rest = rest.dropFirst(2) }
            rest = rest.dropFirst(2)
        }
        return rest.count >= size ? (kind == frontCover, Array(rest.prefix(size))) : nil
    }
}
