package import SystemPackage

/// FLAC in Ogg ("Ogg FLAC mapping") whose pages do not say when its first frames are presented, as the FLAC file that its packets are.
///
/// Editors of tags that lay longer comments on new pages leave 0 as the position of frames that shared a page with the comment; GStreamer's
/// demuxer (1.22) then drops frames, and what is left is late. FLAC's frames number themselves.
package struct OggFLAC: Sendable, Hashable {
    private let serial: [UInt8]

    /// Pages at most before the first that tells a position: headers may hold a cover.
    private static let maximumCount = 5000
    /// Before the FLAC file's own beginning in the first packet: the mapping's name, version and how many headers follow.
    private static let mappingSize = 9

    /// - Returns: nil for any other file, and for one whose pages tell.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) -> [UInt8]? in
            var cursor = ByteCursor(file)
            guard let first = try OggPage.next(&cursor), let packet = first.parts.first,
                packet.starts(with: [0x7F] + "FLAC".utf8), packet.count > Self.mappingSize
            else { return nil }
            var isWithin = false
            for _ in 0..<Self.maximumCount {
                guard let page = try OggPage.next(&cursor), page.serial == first.serial, !page.hasPosition else {
                    return nil
                }
                for (index, part) in page.parts.enumerated() {
                    let begins = index > 0 || !page.continues
                    let ends = index < page.parts.count - 1 || page.isComplete
                    isWithin = begins ? Self.isFrame(part) : isWithin
                    if isWithin, ends { return first.serial }
                }
            }
            return nil
        }
        guard let found else { return nil }
        serial = found
    }

    /// Whether a packet is a frame, and not a block of metadata (RFC 9639, 9.1).
    private static func isFrame(_ packet: [UInt8]) -> Bool {
        packet.count > 1 && packet[0] == 0xFF && packet[1] & 0xFC == 0xF8
    }

    /// Hands out the FLAC file's bytes in order, a piece at a time, until the closure returns false. Blocks.
    ///
    /// - Parameter path: of the file that it was read of.
    /// - Throws: `system` where it cannot be read.
    package func forEachPiece(of path: FilePath, _ body: ([UInt8]) -> Bool) throws(MovieFileError) {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            var (cursor, isFirst) = (ByteCursor(file), true)
            while let page = try OggPage.next(&cursor) {
                guard page.serial == serial else { continue }
                let bytes = page.parts.flatMap { $0 }
                guard body(isFirst ? Array(bytes.dropFirst(Self.mappingSize)) : bytes) else { return }
                isFirst = false
            }
        }
    }
}
