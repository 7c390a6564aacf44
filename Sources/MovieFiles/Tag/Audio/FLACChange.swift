import MediaTypes

/// What a change makes of a FLAC file (RFC 9639, section 8): another block of comments, and of images where the cover changes.
struct FLACChange {
    let pieces: [AudioFileChange.Piece]

    /// What is left free for later, in bytes.
    private static let room = 4096
    private static let (padding, comments, image): (UInt8, UInt8, UInt8) = (1, 4, 6)

    /// - Throws: `unsupported` for a chapter behind the end; `damaged`, `system`.
    init(_ change: MovieChange, of file: ReadableFile) throws(MovieFileError) {
        let start = try file.read(upTo: FLACStreamInfo.place + FLACStreamInfo.size, at: 0)
        guard start.count == FLACStreamInfo.place + FLACStreamInfo.size,
            let frames = try FLACStreamInfo.framesPlace(file), frames <= file.size
        else { throw .damaged(reason: "its head does not end where it says that it does") }
        if let chapters = change.chapters, let end = FLACStreamInfo.duration(start) {
            try MovieEditing.refuseLate(chapters, end: end)
        }
        var (pieces, old, place) = ([AudioFileChange.Piece.bytes(Array("fLaC".utf8))], [UInt8](), 4 as UInt64)
        while place < frames {
            let head = try file.read(upTo: 4, at: place)
            let size = head.dropFirst().reduce(0) { $0 << 8 | Int($1) }
            switch head[0] & 0x7F {
            case Self.padding: break
            case Self.comments:
                if old.isEmpty { old = try file.read(upTo: size, at: place + 4) }
            case Self.image where change.metadata.artwork != nil: break
            default:
                // One that was the last is so no more.
                pieces.append(.bytes([head[0] & 0x7F] + head.dropFirst()))
                pieces.append(.range(place + 4..<place + 4 + UInt64(size)))
            }
            place += 4 + UInt64(size)
        }
        let new = try VorbisCommentChange(change, of: old[...], hasImages: false).bytes
        guard new.count < 1 << 24 else { throw .unsupported(reason: "FLAC has no place for so many chapters") }
        let covers = CoverArt.covers(inItem: change.metadata.artwork ?? [])
        let images = FLACLayout.coverBlocks(covers)
        guard images.isEmpty == covers.isEmpty else {
            throw .unsupported(reason: "FLAC has no place for a cover of 16 MiB; choose a smaller one")
        }
        let room = [UInt8](repeating: 0, count: Self.room)
        pieces.append(
            .bytes(
                FLACLayout.block(Self.comments, new) + images + FLACLayout.block(Self.padding, room, isLast: true)))
        self.pieces = pieces + [.range(frames..<file.size)]
    }
}
