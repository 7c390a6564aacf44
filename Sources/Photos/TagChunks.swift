import CZLib

/// Where PNG and WebP keep EXIF and a color profile: both are rows of chunks, each with its length.
enum TagChunks {
    /// The EXIF block, from its byte order on; nil where there is none.
    ///
    /// - Parameter read: gives so many bytes at an offset; fewer, or none, where there are no more.
    static func tags(_ read: (_ offset: Int, _ count: Int) -> [UInt8]) -> [UInt8]? {
        let block = chunk(png: "eXIf", webP: "EXIF", read)
        // Some write JPEG's mark before it.
        return block.map { $0.starts(with: "Exif\0\0".utf8) ? Array($0.dropFirst(6)) : $0 }
    }

    /// The color profile; nil where there is none.
    ///
    /// - Parameter read: likewise.
    static func profile(_ read: (_ offset: Int, _ count: Int) -> [UInt8]) -> [UInt8]? {
        guard let block = chunk(png: "iCCP", webP: "ICCP", read) else { return nil }
        guard isPNG(read(0, 4)) else { return block }
        // Behind its name and a byte, compressed.
        let packed = Array(block.drop { $0 != 0 }.dropFirst(2))
        var (bytes, count) = ([UInt8](repeating: 0, count: largest), UInt(largest))
        guard uncompress(&bytes, &count, packed, UInt(packed.count)) == Z_OK else { return nil }
        return Array(bytes.prefix(Int(count)))
    }

    private static func isPNG(_ head: [UInt8]) -> Bool { head.starts(with: [0x89, 0x50, 0x4E, 0x47]) }

    private static func chunk(png: String, webP: String, _ read: (Int, Int) -> [UInt8]) -> [UInt8]? {
        let head = read(0, 12)
        if isPNG(head) { return find(png, from: 8, read) { (Array($0[4..<8]), number($0[..<4]), 12) } }
        guard head.count == 12, head.starts(with: "RIFF".utf8), head[8...].elementsEqual("WEBP".utf8) else {
            return nil
        }
        return find(webP, from: 12, read) { bytes in
            // Chunks begin at even places.
            let length = number(bytes[4..<8].reversed()[...])
            return (Array(bytes[..<4]), length, 8 + length % 2)
        }
    }

    /// - Parameter parse: of eight bytes the chunk's name and length, and how much longer it is with all around it.
    private static func find(
        _ name: String, from start: Int, _ read: (Int, Int) -> [UInt8],
        _ parse: ([UInt8]) -> (name: [UInt8], length: Int, around: Int)
    ) -> [UInt8]? {
        var place = start
        // Each is a read of its own; a file of small chunks has them before the image.
        for _ in 0..<1000 {
            let head = read(place, 8)
            guard head.count == 8 else { return nil }
            let chunk = parse(head)
            if chunk.name.elementsEqual(name.utf8) { return read(place + 8, min(chunk.length, largest)) }
            place += chunk.length + chunk.around
        }
        return nil
    }

    private static let largest = 1 << 20

    private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// A PNG as a row of chunks.
package enum PNGChunks {
    /// The signature and the header, which come first and are always as long.
    private static let headLength = 33

    /// The file with tags, in an `eXIf` chunk behind its header (PNG 3, 11.3.4.5).
    ///
    /// - Parameter exif: from ``PhotoMarks/exif()``.
    /// - Returns: `nil` where the bytes are no PNG.
    package static func tagged(_ file: [UInt8], _ exif: [UInt8]) -> [UInt8]? {
        guard file.count > headLength, file.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        // A chunk has no "Exif" before the tags.
        let content = Array("eXIf".utf8) + exif.dropFirst(6)
        return file[..<headLength] + bytes(UInt32(content.count - 4)) + content + bytes(checksum(content))
            + file[headLength...]
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    /// CRC-32 as in ISO 3309.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 { UInt32(crc32(0, bytes, UInt32(bytes.count))) }
}
