import MediaTypes
package import SystemPackage

/// The chapters of an MP3 and other audio without a container, as podcasts have them: `CHAP` frames of the ID3v2 tag at its beginning
/// (ID3v2 Chapter Frame Addendum 1.0).
package enum ID3Chapters {
    /// Reads a file's tag; empty where it has none, or one without chapters. Blocks.
    ///
    /// - Throws: `system`.
    package static func read(_ path: FilePath) throws(MovieFileError) -> [MovieInfo.Chapter] {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in try chapters(file) }
    }

    /// More chapters than anybody makes.
    private static let maximumCount = 10_000

    private static func chapters(_ file: ReadableFile) throws(MovieFileError) -> [MovieInfo.Chapter] {
        guard let size = ID3Tag.size(try file.read(upTo: ID3Tag.headSize, at: 0)),
            let tag = ID3Tag(try file.read(upTo: size, at: 0))
        else { return [] }
        var chapters: [MovieInfo.Chapter] = []
        for frame in tag.frames where frame.id == "CHAP" && chapters.count < maximumCount {
            if let chapter = chapter(frame.bytes, tag) { chapters.append(chapter) }
        }
        return chapters.sorted { $0.start < $1.start }
    }

    /// A name that nobody sees, beginning and end in milliseconds and in bytes, then frames of its own.
    private static func chapter(_ bytes: ArraySlice<UInt8>, _ tag: ID3Tag) -> MovieInfo.Chapter? {
        guard let end = bytes.firstIndex(of: 0) else { return nil }
        let times = bytes[(end + 1)...].prefix(16)
        guard times.count == 16 else { return nil }
        let title = tag.frames(in: bytes[times.endIndex...]).first { $0.id == "TIT2" }
        return MovieInfo.Chapter(
            start: ID3Tag.plain(times.prefix(4)) * .millisecond,
            title: title.flatMap { ID3Tag.texts($0.bytes).first } ?? "")
    }
}
