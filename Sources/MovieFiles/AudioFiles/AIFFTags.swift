package import SystemPackage

/// What an AIFF file says of itself in chunks of text (Apple, "Audio Interchange File Format", section 3), which GStreamer's reader (1.22) passes
/// over.
package enum AIFFTags {
    /// Of a text, in bytes: more is none that anyone reads.
    private static let maximumSize: UInt32 = 64 << 10
    private static let maximumCount = 1000

    /// - Returns: nil for any other file.
    /// - Throws: `notAFile`, `system`.
    package static func read(_ path: FilePath) throws(MovieFileError) -> MovieMetadata? {
        try ReadableFile.open(path) { (file) throws(MovieFileError) -> MovieMetadata? in
            let head = try file.read(upTo: 12, at: 0)
            guard head.count == 12, head.starts(with: "FORM".utf8),
                ["AIFF", "AIFC"].contains(String(decoding: head[8...], as: UTF8.self))
            else { return nil }
            var (metadata, place) = (MovieMetadata(), UInt64(12))
            for _ in 0..<maximumCount {
                let chunk = try file.read(upTo: 8, at: place)
                guard chunk.count == 8, let size = UInt32(bigEndianBytes: chunk[4...]) else { break }
                if let field = fields[String(decoding: chunk[..<4], as: UTF8.self)], size <= maximumSize,
                    metadata[keyPath: field] == nil
                {
                    metadata[keyPath: field] = text(try file.read(upTo: Int(size), at: place + 8))
                }
                // What has an odd size is followed by a byte of padding.
                place += 8 + UInt64(size) + UInt64(size & 1)
            }
            return metadata
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
