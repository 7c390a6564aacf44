package import SystemPackage

/// AAC in LATM without a container (ISO/IEC 14496-3, 1.7: AudioSyncStream), each of whose frames is described: GStreamer's parser (1.22) drops those
/// that refer to a description before them; see ``LATMDescription``.
package struct BareLATM: Sendable, Hashable {
    /// A frame's head: synchronisation and size.
    private static let headSize = 3
    /// Frames that follow each other before they are believed.
    private static let believed = 3

    /// - Returns: nil for any other file.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let isFound = try ReadableFile.open(path) { (file) throws(MovieFileError) -> Bool in
            var (cursor, count) = (ByteCursor(file), 0)
            while count < Self.believed, let frame = try Self.next(&cursor) {
                guard !frame.isEmpty else { return false }
                count += 1
            }
            return count == Self.believed || count > 0 && cursor.position == file.size
        }
        guard isFound else { return nil }
    }

    /// - Returns: nil at the end, and nothing where no frame begins.
    private static func next(_ cursor: inout ByteCursor) throws(MovieFileError) -> [UInt8]? {
        var ahead = cursor
        guard let head = try ahead.next(headSize) else { return nil }
        guard head[0] == 0x56, head[1] & 0xE0 == 0xE0 else { return [] }
        guard let content = try ahead.next(Int(head[1] & 0x1F) << 8 | Int(head[2])) else { return nil }
        cursor = ahead
        return head + content
    }

    /// Hands out its frames in order, one at a time, until the closure returns false. Blocks.
    ///
    /// - Parameter path: of the file that it was read of.
    /// - Throws: `system` where it cannot be read.
    package func forEachPiece(of path: FilePath, _ body: ([UInt8]) -> Bool) throws(MovieFileError) {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            var (cursor, description) = (ByteCursor(file), LATMDescription())
            while let frame = try Self.next(&cursor) {
                if frame.isEmpty {
                    _ = try cursor.next()
                } else if !body(description.complete(frame) ?? frame) {
                    return
                }
            }
        }
    }
}
