import CZLib

/// What is compressed with zlib (RFC 1950).
enum Zlib {
    /// CRC-32 of IEEE 802.3.
    static func checksum(of bytes: [UInt8]) -> UInt32 {
        UInt32(
            truncatingIfNeeded: bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32(clamping: $0.count)) })
    }

    /// - Parameter limit: how many bytes may come of it, and some more.
    /// - Returns: nil for what is damaged, or larger.
    static func inflated(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        var stream = z_stream()
        guard rushes_inflate_init(&stream) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var (input, result) = (bytes, [UInt8]())
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let status = input.withUnsafeMutableBufferPointer { input -> Int32 in
            (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(clamping: input.count))
            var status = Z_OK
            while status == Z_OK, result.count <= limit {
                let count = piece.withUnsafeMutableBufferPointer { piece in
                    (stream.next_out, stream.avail_out) = (piece.baseAddress, UInt32(piece.count))
                    status = inflate(&stream, Z_NO_FLUSH)
                    return piece.count - Int(stream.avail_out)
                }
                result += piece[..<count]
            }
            return status
        }
        return status == Z_STREAM_END ? result : nil
    }
}
