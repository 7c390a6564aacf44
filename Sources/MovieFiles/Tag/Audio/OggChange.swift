import MediaTypes

/// What a change makes of Opus (RFC 7845, section 5.2) or Vorbis in Ogg: other pages of its comments, and the numbers of those behind them where
/// there are more or fewer.
struct OggChange {
    let pieces: [AudioFileChange.Piece]

    private static let vorbisMark = Array("\u{3}vorbis".utf8)
    private static let opusMark = Array("OpusTags".utf8)
    /// In bytes; a cover may be among the comments.
    private static let longestHead = 64 << 20

    /// - Throws: `unsupported` for other codecs and several streams, and for a chapter behind the end; `damaged`, `system`.
    init(_ change: MovieChange, of file: ReadableFile) throws(MovieFileError) {
        var cursor = ByteCursor(file)
        guard let first = try OggPage.next(&cursor), let head = first.parts.first, first.parts.count == 1,
            let lengths = OggPacketLengths(head), ["opus", "vorbis"].contains(lengths.kind.name)
        else {
            throw .unsupported(
                reason:
                    "of Ogg files those of Opus and Vorbis can be changed; 'rushes transcode' makes a movie or an audio "
                    + "file of it")
        }
        let isOpus = lengths.kind.name == "opus"
        let audio = cursor.position
        let (packets, count) = try Self.headers(isOpus ? 1 : 2, of: first.serial, &cursor)
        let end = try Self.end(of: first.serial, file, from: cursor.position)
        let mark = isOpus ? Self.opusMark : Self.vorbisMark
        guard packets[0].starts(with: mark) else { throw .damaged(reason: "its comments are missing") }
        if let chapters = change.chapters, let end {
            let samples = max(0, Int(clamping: end) - lengths.skipped)
            try MovieEditing.refuseLate(chapters, end: .lasting(samples: samples, rate: lengths.rate))
        }
        let comments = mark + (try Self.changed(packets[0].dropFirst(mark.count), change, isOpus: isOpus))
        var stream = OggStream(serial: first.serial.reversed().reduce(0) { $0 << 8 | UInt32($1) }, pageCount: 1)
        let pages = stream.pages([comments] + packets.dropFirst(), position: 0)
        let rest = cursor.position..<file.size
        let later = Int(stream.pageCount) - 1 - count
        pieces = [
            .range(0..<audio), .bytes(pages), later == 0 ? .range(rest) : .pages(rest, later: later),
        ]
    }

    private static func changed(
        _ old: ArraySlice<UInt8>, _ change: MovieChange, isOpus: Bool
    ) throws(MovieFileError) -> [UInt8] {
        let comments = try VorbisCommentChange(change, of: old, hasImages: true)
        // Behind those of Opus room is left free, unless the first bit says that it is more (RFC 7845, section 5.2).
        let isFree = isOpus && (comments.rest.first ?? 0) & 1 == 0
        return comments.bytes + (isFree ? [] : comments.rest)
    }

    /// The packets behind the first, and the pages that they take.
    private static func headers(
        _ wanted: Int, of serial: [UInt8], _ cursor: inout ByteCursor
    ) throws(MovieFileError) -> (packets: [[UInt8]], pages: Int) {
        var (packets, isOpen, pages, size) = ([[UInt8]](), false, 0, 0)
        while packets.count < wanted || isOpen {
            guard let page = try OggPage.next(&cursor), page.serial == serial, !page.begins,
                page.continues == isOpen, size < longestHead
            else { throw .unsupported(reason: "it has several streams, or is damaged; a copy of it can be changed") }
            pages += 1
            for (index, part) in page.parts.enumerated() {
                size += part.count
                if index == 0, isOpen { packets[packets.count - 1] += part } else { packets.append(part) }
            }
            isOpen = !page.isComplete
        }
        guard packets.count == wanted else {
            throw .unsupported(reason: "its comments share a page with its audio; a copy of it can be changed")
        }
        return (packets, pages)
    }

    /// The position that its last page tells; streams that follow each other have comments of their own, and those that lie beside each
    /// other numbers.
    private static func end(
        of serial: [UInt8], _ file: ReadableFile, from place: UInt64
    ) throws(MovieFileError) -> UInt64? {
        var (cursor, last) = (ByteCursor(file, at: place), nil as UInt64?)
        while cursor.position < file.size {
            guard let page = try OggPage.next(&cursor) else {
                throw .damaged(
                    reason: "its pages end at byte \(cursor.position), and the file does not; recover it first")
            }
            guard page.serial == serial else {
                throw .unsupported(reason: "it has several streams; a copy of one can be changed")
            }
            if page.position != .max { last = page.position }
        }
        return last
    }
}
