package import MediaTypes

/// A WebP as a row of chunks.
package enum WebPChunks {
    /// The file with tags, in an `EXIF` chunk behind its image, which wants the extended header (RFC 9649, 2.7).
    ///
    /// - Parameters:
    ///   - exif: from ``PhotoMarks/exif()``.
    ///   - size: of the image.
    /// - Returns: `nil` where the bytes are no WebP with an image alone.
    package static func tagged(_ file: [UInt8], _ exif: [UInt8], _ size: VideoSize) -> [UInt8]? {
        guard file.count > 16, file.starts(with: "RIFF".utf8), file[8..<12].elementsEqual("WEBP".utf8),
            file[12..<15].elementsEqual("VP8".utf8), file[15] != UInt8(ascii: "X")
        else { return nil }
        let header: [UInt8] = [hasEXIF, 0, 0, 0] + bytes(size.width - 1, 3) + bytes(size.height - 1, 3)
        // A chunk has no "Exif" before the tags.
        let chunks = chunk("VP8X", header) + file[12...] + chunk("EXIF", Array(exif.dropFirst(6)))
        return Array("RIFF".utf8) + bytes(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
    }

    private static let hasEXIF: UInt8 = 0x08

    /// Chunks begin at even places.
    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + bytes(content.count, 4) + content + [UInt8](repeating: 0, count: content.count % 2)
    }

    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
