package import SystemPackage

extension MovieMetadata {
    /// What the ID3 tags at the beginning of a file say, of which editors put one before another, or the one at the end of DSF; with the
    /// covers of all of them. Blocks.
    ///
    /// - Returns: nil where there is none.
    package init?(id3TagOf path: FilePath) {
        guard let tags = try? Self.tags(path), let first = tags.first else { return nil }
        self = first.metadata
        for tag in tags.dropFirst() { fill(from: tag.metadata) }
        let covers = tags.flatMap(\.covers)
        artwork = covers.isEmpty ? nil : covers.flatMap(\.item)
    }

    private static func tags(_ path: FilePath) throws(MovieFileError) -> [ID3Tag] {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            var (place, tags) = (try DSFHead(file)?.tagPlace ?? 0, [ID3Tag]())
            while tags.count < ID3Tag.mostOfFile,
                let size = ID3Tag.size(try file.read(upTo: ID3Tag.headSize, at: place)),
                let tag = ID3Tag(try file.read(upTo: size, at: place))
            {
                tags.append(tag)
                place += UInt64(size)
            }
            return tags
        }
    }
}

extension ID3Tag {
    /// What it says of the whole, with its covers.
    var metadata: MovieMetadata {
        var metadata = MovieMetadata(title: text("TIT2"))
        (metadata.artist, metadata.album, metadata.copyright) = (text("TPE1"), text("TALB"), text("TCOP"))
        metadata.genre = text("TCON").map { Self.genre($0) }
        metadata.comment = comment
        for (id, field) in Self.music { metadata[field] = text(id) }
        metadata[.lyrics] = lyrics
        metadata.fill(others: named)
        metadata.artwork = covers.isEmpty ? nil : covers.flatMap(\.item)
        return metadata
    }

    /// In words, what it says that no output has a place for here.
    var unkept: [String] {
        images.count > covers.count ? ["cover"] : []
    }

    private static let music: [(String, MetadataField)] = [
        ("TPE2", .albumArtist), ("TCOM", .composer), ("TRCK", .trackNumber), ("TPOS", .discNumber), ("TIT1", .grouping),
    ]

    /// Texts that have names of their own.
    private var named: [String: String] {
        let texts = frames.filter { $0.id == "TXXX" }.map { Self.texts($0.bytes) }
        return Dictionary(
            texts.filter { $0.count == 2 && !$0[0].isEmpty && $0[0].lowercased() != "comment" }.map { ($0[0], $0[1]) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Behind their language and what they are called.
    private var lyrics: String? {
        guard let bytes = frames.first(where: { $0.id == "USLT" && $0.bytes.count > 4 })?.bytes else { return nil }
        let text = Self.split(bytes.dropFirst(4), isWide: Self.isWide(bytes)).rest
        return Self.texts([bytes.first ?? 0] + text).first { !$0.isEmpty }
    }

    /// Its covers, the front cover first.
    var covers: [CoverArt] { images.compactMap { CoverArt($0) } }

    /// Of several texts all.
    private func text(_ id: String) -> String? {
        let texts = frames.first { $0.id == id }.map { Self.texts($0.bytes) } ?? []
        let told = texts.filter { text in text.contains { !$0.isWhitespace } }
        return told.isEmpty ? nil : told.joined(separator: ";")
    }

    /// A number alone or in brackets is one of ID3v1's, which a text may follow.
    private static func genre(_ text: String) -> String {
        if let number = Int(text) { return ID3Genre.name(number) ?? text }
        guard text.first == "(", let end = text.firstIndex(of: ")"),
            let number = Int(text.dropFirst().prefix(upTo: end))
        else { return text }
        let rest = text[text.index(after: end)...]
        return rest.isEmpty ? ID3Genre.name(number) ?? text : String(rest)
    }

    /// What kind of comment a frame is, behind its language; empty for the usual one.
    static func name(ofRemark bytes: ArraySlice<UInt8>) -> String {
        let name = split(bytes.dropFirst(4), isWide: isWide(bytes)).text
        return texts([bytes.first ?? 0] + name).first ?? ""
    }

    /// Whether its texts are of two bytes a letter.
    private static func isWide(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.first == 1 || bytes.first == 2 }

    /// Behind its language and what kind of comment it is: programs keep numbers of theirs in comments that have a kind.
    private var comment: String? {
        let comments = frames.filter { $0.id == "COMM" && $0.bytes.count > 4 }.map {
            frame -> (kind: String, text: String) in
            let text = Self.split(frame.bytes.dropFirst(4), isWide: Self.isWide(frame.bytes)).rest
            return (Self.name(ofRemark: frame.bytes), Self.texts([frame.bytes.first ?? 0] + text).first ?? "")
        }
        // ffmpeg writes its own into a text that anybody may name.
        let named = frames.filter { $0.id == "TXXX" }.map { Self.texts($0.bytes) }
            .first { $0.count == 2 && $0[0].lowercased() == "comment" }
        return comments.first { $0.kind.isEmpty && !$0.text.isEmpty }?.text ?? named?[1]
    }

    /// Covers and other images: how their description is written, their media type, what they show, and their description stand before them.
    private var images: [ArraySlice<UInt8>] {
        let found = frames.filter { $0.id == "APIC" }.compactMap {
            frame -> (isFront: Bool, image: ArraySlice<UInt8>)? in
            let rest = frame.bytes.dropFirst().drop { $0 != 0 }.dropFirst()
            guard let kind = rest.first else { return nil }
            return (kind == 3, Self.split(rest.dropFirst(), isWide: Self.isWide(frame.bytes)).rest)
        }
        return found.filter(\.isFront).map(\.image) + found.filter { !$0.isFront }.map(\.image)
    }

    /// A text up to the zero behind it, and what follows.
    private static func split(_ bytes: ArraySlice<UInt8>, isWide: Bool) -> (
        text: ArraySlice<UInt8>, rest: ArraySlice<UInt8>
    ) {
        let step = isWide ? 2 : 1
        var place = bytes.startIndex
        while place + step <= bytes.endIndex {
            if bytes[place..<place + step].allSatisfy({ $0 == 0 }) {
                return (bytes[..<place], bytes[(place + step)...])
            }
            place += step
        }
        return (bytes, [])
    }
}
