import MediaTypes

/// An ID3v2.4 tag as it stands at the beginning of an MP3 file (ID3v2.4.0, "Main Structure" and "Native Frames"; chapters as ID3v2 Chapter
/// Frame Addendum 1.0 has them).
struct ID3TagBytes {
    private(set) var bytes: [UInt8]
    var count: Int { bytes.count }

    /// Entries of a table of contents, whose number is a byte.
    private static let mostChapters = 255

    init(_ metadata: MovieMetadata) { bytes = Self.tag(Self.texts(metadata), room: 0) }

    /// As many bytes as are said, of whose room the chapters take what they need; those that do not fit are left out.
    init(_ attributes: AudioFileAttributes, end: MediaTime, size: Int) {
        let texts = Self.texts(attributes.metadata)
        var chapters = Array(attributes.chapters.prefix(Self.mostChapters))
        var frames = texts + Self.frames(chapters, end: end)
        while frames.count + 10 > size, !chapters.isEmpty {
            chapters.removeLast()
            frames = texts + Self.frames(chapters, end: end)
        }
        bytes = Self.tag(frames, room: max(0, size - 10 - frames.count))
    }

    private static func texts(_ metadata: MovieMetadata) -> [UInt8] {
        let texts: [(String, String?)] = [
            ("TIT2", metadata.title), ("TPE1", metadata.artist), ("TALB", metadata.album), ("TCON", metadata.genre),
            ("TDRC", metadata.creationDate?.description), ("TCOP", metadata.copyright), ("TSSE", metadata.software),
            ("TPE2", metadata[.albumArtist]), ("TCOM", metadata[.composer]), ("TIT1", metadata[.grouping]),
            ("TRCK", metadata[.trackNumber]), ("TPOS", metadata[.discNumber]),
        ]
        let unnamed: [MetadataField] = [
            .description, .location, .synopsis, .show, .network, .episodeID, .season, .episode,
        ]
        let named = unnamed.map { ($0.commonNames[0], metadata[$0]) } + metadata.others.map { ($0.name, $0.text) }
        var bytes = texts.flatMap { id, text in text.map { Self.text(id, $0) } ?? [] }
        if let comment = AudioFileAttributes.text(metadata.comment) {
            bytes += frame("COMM", [3] + unknownLanguage + [0] + comment)
        }
        if let lyrics = AudioFileAttributes.text(metadata[.lyrics]) {
            bytes += frame("USLT", [3] + unknownLanguage + [0] + lyrics)
        }
        for (index, cover) in metadata.covers.enumerated() {
            // The front cover first, then other images (section 4.14).
            let kind: UInt8 = index == 0 ? 3 : 0
            bytes += frame("APIC", [0] + Array(cover.mediaType.utf8) + [0, kind, 0] + cover.image)
        }
        for (name, text) in named {
            guard let text = AudioFileAttributes.text(text) else { continue }
            bytes += frame("TXXX", [3] + Array(name.utf8) + [0] + text)
        }
        return bytes
    }

    /// The language of what does not say its own (ID3v2.4.0, section 4); a name follows, of which there is none.
    private static let unknownLanguage = Array("XXX".utf8)

    private static func frames(_ chapters: [MovieInfo.Chapter], end: MediaTime) -> [UInt8] {
        guard !chapters.isEmpty else { return [] }
        func milliseconds(_ time: MediaTime) -> UInt32 { UInt32(clamping: time.nanoseconds / 1_000_000) }
        var (bytes, names): ([UInt8], [UInt8]) = ([], [])
        for (index, chapter) in chapters.enumerated() {
            let name = Array("chapter\(index + 1)".utf8) + [0]
            names += name
            let next = chapters.indices.contains(index + 1) ? chapters[index + 1].start : max(end, chapter.start)
            var writer = ByteWriter()
            writer.append(contentsOf: name)
            writer.append(milliseconds(chapter.start))
            writer.append(milliseconds(next))
            // Where they lie in bytes is not told.
            writer.append(UInt64.max)
            bytes += frame("CHAP", writer.bytes + text("TIT2", chapter.title))
        }
        // Of the whole, in order.
        return frame("CTOC", Array("chapters".utf8) + [0, 3, UInt8(chapters.count)] + names) + bytes
    }

    /// In UTF-8.
    private static func text(_ id: String, _ text: String) -> [UInt8] {
        AudioFileAttributes.text(text).map { frame(id, [3] + $0) } ?? []
    }

    private static func frame(_ id: String, _ bytes: [UInt8]) -> [UInt8] {
        Array(id.utf8) + sevens(bytes.count) + [0, 0] + bytes
    }

    private static func tag(_ frames: [UInt8], room: Int) -> [UInt8] {
        Array("ID3".utf8) + [4, 0, 0] + sevens(frames.count + room) + frames + [UInt8](repeating: 0, count: room)
    }

    /// Seven bits a byte.
    private static func sevens(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) } }
}
