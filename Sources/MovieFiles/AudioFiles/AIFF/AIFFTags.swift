package import SystemPackage

/// What an AIFF file says of itself in chunks of text (Apple, "Audio Interchange File Format", section 3) and in `ID3 `, as iTunes writes
/// it, which GStreamer's reader (1.22) passes over.
package struct AIFFTags: Sendable {
    package private(set) var metadata = MovieMetadata()
    /// In words, what it says that no output has a place for here.
    package private(set) var unkept: [String] = []

    /// Of a text, and of a tag, in bytes: more is none that anyone reads.
    private static let (maximumSize, maximumTagSize): (UInt32, UInt32) = (64 << 10, 16 << 20)
    private static let maximumCount = 1000

    /// Blocks.
    ///
    /// - Returns: nil for any other file.
    /// - Throws: `notAFile`, `system`.
    package init?(reading path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try AIFFTags(file) }
        guard let found else { return nil }
        self = found
    }

    private init?(_ file: ReadableFile) throws(MovieFileError) {
        let head = try file.read(upTo: 12, at: 0)
        guard head.count == 12, head.starts(with: "FORM".utf8),
            ["AIFF", "AIFC"].contains(String(decoding: head[8...], as: UTF8.self))
        else { return nil }
        var place: UInt64 = 12
        for _ in 0..<Self.maximumCount {
            let chunk = try file.read(upTo: 8, at: place)
            guard chunk.count == 8, let size = UInt32(bigEndianBytes: chunk[4...]) else { break }
            let name = String(decoding: chunk[..<4], as: UTF8.self)
            if let field = Self.fields[name], size <= Self.maximumSize, metadata[keyPath: field] == nil {
                metadata[keyPath: field] = Self.text(try file.read(upTo: Int(size), at: place + 8))
            } else if name == "ID3 ", size <= Self.maximumTagSize,
                let tag = ID3Tag(try file.read(upTo: Int(size), at: place + 8))
            {
                metadata.fill(from: tag.metadata)
                unkept = tag.unkept
            }
            // What has an odd size is followed by a byte of padding.
            place += 8 + UInt64(size) + UInt64(size & 1)
        }
    }

    private nonisolated(unsafe) static let fields: [String: WritableKeyPath<MovieMetadata, String?>] = [
        "NAME": \.title, "AUTH": \.artist, "ANNO": \.comment, "(c) ": \.copyright,
    ]

    /// Up to a zero; letters of old where it is no UTF-8.
    private static func text(_ bytes: [UInt8]) -> String? {
        let bytes = bytes.prefix { $0 != 0 }
        let text =
            String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
        return text.isEmpty ? nil : text
    }
}
