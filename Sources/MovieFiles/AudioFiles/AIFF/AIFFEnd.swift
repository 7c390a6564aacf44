package import SystemPackage

/// GStreamer 1.22, demuxers and decoders: goes with the version in which aiffparse reads on behind an empty chunk; `WorkaroundTests` “aiffparse, an empty chunk at the end”.
///
/// The end of AIFF whose last chunks have no content, such as the `ID3 ` of an editor that has taken all tags away: GStreamer's reader (1.22) looks for
/// what is in them, and gives nothing where the file ends there.
package enum AIFFEnd {
    /// More than any file has.
    private static let maximumCount = 1000

    /// Where these chunks lie. Blocks.
    ///
    /// - Returns: nil for any other file.
    /// - Throws: `system` where it cannot be read.
    package static func emptyChunks(in path: FilePath) throws(MovieFileError) -> Range<UInt64>? {
        try ReadableFile.open(path) { (file) throws(MovieFileError) -> Range<UInt64>? in
            let head = try file.read(upTo: 12, at: 0)
            guard head.count == 12, head.starts(with: "FORM".utf8),
                ["AIFF", "AIFC"].contains(String(decoding: head[8...], as: UTF8.self))
            else { return nil }
            var (place, end) = (12 as UInt64, 12 as UInt64)
            for _ in 0..<maximumCount where place < file.size {
                let chunk = try file.read(upTo: 8, at: place)
                guard chunk.count == 8, let size = UInt32(bigEndianBytes: chunk[4...]) else { return nil }
                // What has an odd size is followed by a byte of padding.
                place += 8 + UInt64(size) + UInt64(size & 1)
                if size > 0 { end = place }
            }
            return place == file.size && end > 12 && end < place ? end..<place : nil
        }
    }
}
