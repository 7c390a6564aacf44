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
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}
