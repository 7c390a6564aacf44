package import SystemPackage

extension MovieMetadata {
    /// What the old tag at a file's end says (ID3v1.1), in which texts are 30 letters of Latin-1 at the most. Blocks.
    ///
    /// - Returns: nil where there is none.
    package init?(id3v1TagOf path: FilePath) {
        let metadata = try? ReadableFile.open(path) { (file) throws(MovieFileError) in
            try MovieMetadata(id3v1TagOf: file)
        }
        guard let metadata = metadata ?? nil else { return nil }
        self = metadata
    }

    /// In bytes.
    static let id3v1Size: UInt64 = 128

    init?(id3v1TagOf file: ReadableFile) throws(MovieFileError) {
        let size = Self.id3v1Size
        guard file.size >= size else { return nil }
        let tag = try file.read(upTo: Int(size), at: file.size - size)
        guard tag.count == Int(size), tag.starts(with: "TAG".utf8) else { return nil }
        func text(_ range: Range<Int>) -> String? {
            let letters = tag[range].prefix { $0 != 0 }.reversed().drop { $0 == 0x20 }.reversed()
            return letters.isEmpty ? nil : String(String.UnicodeScalarView(letters.map { Unicode.Scalar($0) }))
        }
        self.init(title: text(3..<33))
        (artist, album, genre) = (text(33..<63), text(63..<93), ID3Genre.name(Int(tag[127])))
        creationDate = text(93..<97).flatMap { MovieDate($0) }
        comment = text(97..<127)
        // Since version 1.1 the last two letters of the comment may be zero and a number.
        if tag[125] == 0, tag[126] != 0 { self[.trackNumber] = "\(tag[126])" }
    }
}
