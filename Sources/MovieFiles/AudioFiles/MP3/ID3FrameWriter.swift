import MediaTypes

/// Writes frames of an ID3v2 tag (ID3v2.3.0, section 4; ID3v2.4.0, "Native Frames"; chapters as ID3v2 Chapter Frame Addendum 1.0 has them).
struct ID3FrameWriter {
    /// 3 or 4.
    let version: UInt8

    /// Entries of a table of contents, whose number is a byte.
    static let mostChapters = 255
    /// What has no name in tags of music.
    static let unknownFields: [MetadataField] = [.make, .model, .keywords]

    /// The frames of one fact; none where there is nothing to be said.
    func frames(_ field: MetadataField, _ metadata: MovieMetadata) -> [UInt8] {
        switch field {
        case .creationDate: date(metadata.creationDate)
        case .comment: remark("COMM", metadata.comment)
        case .lyrics: remark("USLT", metadata[.lyrics])
        default:
            if let id = Self.id(of: field) {
                text(id, metadata[field])
            } else if Self.unknownFields.contains(field) {
                []
            } else {
                named(field.commonNames[0], metadata[field])
            }
        }
    }

    /// The frame that a fact has for itself; nil for one that stands under a name.
    static func id(of field: MetadataField) -> String? {
        switch field {
        case .title: "TIT2"
        case .artist: "TPE1"
        case .album: "TALB"
        case .genre: "TCON"
        case .copyright: "TCOP"
        case .software: "TSSE"
        case .albumArtist: "TPE2"
        case .composer: "TCOM"
        case .grouping: "TIT1"
        case .trackNumber: "TRCK"
        case .discNumber: "TPOS"
        default: nil
        }
    }

    /// A text under any name.
    func named(_ name: String, _ text: String?) -> [UInt8] { frame("TXXX", described(name, text)) }

    /// The front cover first, then other images (ID3v2.4.0, section 4.14).
    func images(_ covers: [CoverArt]) -> [UInt8] {
        covers.enumerated().flatMap { index, cover in
            frame("APIC", [0] + Array(cover.mediaType.utf8) + [0, index == 0 ? 3 : 0, 0] + cover.image)
        }
    }

    /// A table of contents and what it names, in order.
    ///
    /// - Parameter end: of the last chapter.
    func chapters(_ chapters: [MovieInfo.Chapter], end: MediaTime) -> [UInt8] {
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
        return frame("CTOC", Array("chapters".utf8) + [0, 3, UInt8(chapters.count)] + names) + bytes
    }

    /// A whole tag.
    ///
    /// - Parameter room: what is left free behind the frames, in bytes.
    func tag(_ frames: [UInt8], room: Int) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, 0] + Self.sevens(frames.count + room) + frames
            + [UInt8](repeating: 0, count: room)
    }

    private func date(_ date: MovieDate?) -> [UInt8] {
        guard version == 3 else { return text("TDRC", date?.description) }
        // "2026-11-21T14:03": day and month are one text before version 4, and hour and minute another.
        let words = date?.description ?? ""
        func digits(_ range: Range<Int>) -> String {
            let letters = Array(words)
            return range.upperBound <= letters.count ? String(letters[range]) : ""
        }
        let (day, minute) = (digits(8..<10) + digits(5..<7), digits(11..<13) + digits(14..<16))
        return text("TYER", digits(0..<4)) + text("TDAT", day.count == 4 ? day : nil)
            + text("TIME", minute.count == 4 ? minute : nil)
    }

    private func text(_ id: String, _ text: String?) -> [UInt8] {
        guard let text = AudioFileAttributes.text(text) else { return [] }
        let (kind, encoded, _) = encode([text])
        return frame(id, [kind] + encoded[0])
    }

    private func remark(_ id: String, _ text: String?) -> [UInt8] {
        // The language of what does not say its own (ID3v2.4.0, section 4).
        frame(id, described("", text, after: Array("XXX".utf8)))
    }

    /// A text behind what it is called; nothing where there is none.
    private func described(_ name: String, _ text: String?, after bytes: [UInt8] = []) -> [UInt8] {
        guard let text = AudioFileAttributes.text(text) else { return [] }
        let (kind, texts, end) = encode([Array(name.utf8), text])
        return [kind] + bytes + texts[0] + end + texts[1]
    }

    /// In UTF-8, which version 3 does not know: there, in UTF-16 where ASCII is not enough.
    ///
    /// - Returns: what tells how texts are written, those, and what separates them.
    private func encode(_ texts: [[UInt8]]) -> (kind: UInt8, texts: [[UInt8]], end: [UInt8]) {
        if version == 4 { return (3, texts, [0]) }
        if texts.allSatisfy({ $0.allSatisfy { $0 < 0x80 } }) { return (0, texts, [0]) }
        let wide = texts.map { text in
            String(decoding: text, as: UTF8.self).utf16.reduce(into: [0xFF, 0xFE] as [UInt8]) { bytes, unit in
                bytes.append(little: unit)
            }
        }
        return (1, wide, [0, 0])
    }

    private func frame(_ id: String, _ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        let plain = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) }
        return Array(id.utf8) + (version == 4 ? Self.sevens(bytes.count) : plain) + [0, 0] + bytes
    }

    /// Seven bits a byte.
    private static func sevens(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) } }
}
