import Foundation
package import SystemPackage

/// What a RealMedia file says of itself in its chunk `CONT`, in the letters of Windows: GStreamer (1.22) leaves out what is not ASCII, and
/// libavformat takes it for UTF-8.
package enum RealTags {
    /// Of a chunk; there are few before the data.
    private static let (maximumSize, mostChunks) = (1 << 20, 100)

    /// Blocks.
    ///
    /// - Returns: nil for any other file, and where it says nothing.
    package static func read(_ path: FilePath) -> MovieMetadata? {
        let metadata = try? ReadableFile.open(path) { (file) throws(MovieFileError) -> MovieMetadata? in
            guard try file.read(upTo: 4, at: 0).elementsEqual(".RMF".utf8) else { return nil }
            var place: UInt64 = 0
            for _ in 0..<mostChunks {
                let head = try file.read(upTo: 10, at: place)
                let size = head.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
                guard head.count == 10, size >= 10, !head.starts(with: "DATA".utf8) else { return nil }
                if head.starts(with: "CONT".utf8) {
                    return self.metadata(try file.read(upTo: min(size, maximumSize) - 10, at: place + 10))
                }
                place += UInt64(size)
            }
            return nil
        }
        return metadata ?? nil
    }

    /// Title, author, copyright and comment, each behind its length.
    private static func metadata(_ bytes: [UInt8]) -> MovieMetadata {
        var rest = bytes[...]
        let texts = (0..<4).map { _ -> String? in
            let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
            defer { rest = rest.dropFirst(2 + length) }
            let letters = rest.dropFirst(2).prefix(length).prefix { $0 != 0 }
            guard !letters.isEmpty else { return nil }
            return String(bytes: letters, encoding: .utf8) ?? String(bytes: letters, encoding: .windowsCP1252)
                ?? String(bytes: letters, encoding: .isoLatin1)
        }
        var metadata = MovieMetadata(title: texts[0])
        (metadata.artist, metadata.copyright, metadata.comment) = (texts[1], texts[2], texts[3])
        return metadata
    }
}
