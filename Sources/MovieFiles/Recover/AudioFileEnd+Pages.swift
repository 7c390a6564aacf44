/// Files of pages and blocks that each say how long they are.
extension AudioFileEnd {
    /// Whether Ogg ends within a page (RFC 3533, section 6): players play what is there, and say nothing.
    static func isWithinBlock(ogg file: ReadableFile) throws(MovieFileError) -> Bool {
        var (window, place) = (FileWindow(file), UInt64(0))
        while place < file.size {
            let head = Array(try window.bytes(27, at: place))
            guard head.starts(with: "OggS".utf8.prefix(head.count)) else {
                // What is damaged, or none of it, as a tag behind the last page.
                guard let next = try page(behind: place, in: &window, of: file) else { return false }
                place = next
                continue
            }
            guard head.count == 27 else { return true }
            let sizes = try window.bytes(Int(head[26]), at: place + 27)
            place += 27 + UInt64(head[26]) + sizes.reduce(0) { $0 + UInt64($1) }
        }
        return place > file.size
    }

    /// Where the next page begins, which may be the longest one's size away.
    private static func page(
        behind place: UInt64, in window: inout FileWindow, of file: ReadableFile
    ) throws(MovieFileError) -> UInt64? {
        let end = min(file.size, place + (64 << 10) + 282)
        var next = place + 1
        while next + 4 <= end {
            if try window.bytes(4, at: next).elementsEqual("OggS".utf8) { return next }
            next += 1
        }
        return nil
    }

    /// Whether a Creative Voice file ends within a block (Creative Labs, "VOC file format": a kind, and a size of 24 bits).
    static func isWithinBlock(voice file: ReadableFile) throws(MovieFileError) -> Bool {
        let begin = try file.read(upTo: 2, at: 20)
        guard begin.count == 2 else { return true }
        var (window, place) = (FileWindow(file), UInt64(begin[0]) | UInt64(begin[1]) << 8)
        while place < file.size {
            let head = Array(try window.bytes(4, at: place))
            // A block of the kind 0 is the end, and the only one without a size.
            guard let kind = head.first, kind > 0 else { return false }
            guard head.count == 4 else { return true }
            place += 4 + head[1...].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        return place > file.size
    }
}
