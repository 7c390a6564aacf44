package import MediaTypes
package import SystemPackage

/// Audio in Ogg whose pages say that they end earlier than the samples in them do, with positions that are counted from those.
///
/// Some encoders count in another rate, and editors of tags leave 0 for frames that share a page with the comment. GStreamer's demuxer (1.22)
/// gives frames the times that the pages tell, so all that comes too early is dropped.
package struct RetimedOgg: Sendable, Hashable {
    package let duration: MediaTime
    /// Of each page, as far as there is audio in it.
    private let positions: [UInt64?]

    /// As large as a page can be: the last one may be cut off.
    private static let longestPage: UInt64 = 65_307
    /// What is kept of a packet, in bytes: more than any head has that is read.
    private static let longestPacket = 1 << 24

    /// - Returns: nil for any other file, and for one whose pages tell.
    /// - Throws: `system` where it cannot be read.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try Self.find(file) }
        guard let found else { return nil }
        self = found
    }

    private init(duration: MediaTime, positions: [UInt64?]) {
        (self.duration, self.positions) = (duration, positions)
    }

    private static func find(_ file: ReadableFile) throws(MovieFileError) -> RetimedOgg? {
        var cursor = ByteCursor(file)
        guard let first = try OggPage.next(&cursor), let head = first.parts.first, var lengths = OggPacketLengths(head)
        else { return nil }
        var (positions, packet): ([UInt64?], [UInt8]) = ([nil], [])
        var (total, told, missing, late) = (0 as UInt64, nil as UInt64?, 0 as UInt64, 0 as UInt64)
        while let page = try OggPage.next(&cursor) {
            // Several streams beside or behind each other have times that only their demuxer can tell.
            guard page.serial == first.serial, !page.begins else { return nil }
            // What the last page has too much is cut off.
            missing += late
            late = 0
            var count: UInt64 = 0
            for (index, part) in page.parts.enumerated() {
                if index > 0 || !page.continues { packet = [] }
                if packet.count < longestPacket { packet += part }
                guard index < page.parts.count - 1 || page.isComplete else { break }
                guard let length = lengths.next(packet) else { return nil }
                count += UInt64(length)
            }
            total += count
            positions.append(count > 0 ? total : nil)
            guard count > 0 else { continue }
            if page.position == .max || page.position < told ?? 1 {
                missing += count
            } else if let told {
                late = count - min(count, page.position - told)
            }
            if page.position != .max { told = page.position }
        }
        guard missing > UInt64(lengths.tolerance), file.size - cursor.position <= longestPage else { return nil }
        return RetimedOgg(
            duration: MediaTime(samples: max(0, Int(total) - lengths.skipped), rate: lengths.rate), positions: positions
        )
    }

    /// Hands out the file's bytes in order, a piece at a time, until the closure returns false. Blocks.
    ///
    /// - Parameter path: of the file that it was read of.
    /// - Throws: `system` where it cannot be read.
    package func forEachPiece(of path: FilePath, _ body: ([UInt8]) -> Bool) throws(MovieFileError) {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            var cursor = ByteCursor(file)
            for position in positions {
                guard var page = try OggPage.next(&cursor) else { return }
                if let position { page.position = position }
                guard body(page.bytes) else { return }
            }
        }
    }
}
