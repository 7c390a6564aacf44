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

    /// Of the tag: covers come behind the chapters, or are no larger.
    private static let maximumSize = 16 << 20
    /// More chapters than anybody makes.
    private static let maximumCount = 10_000
    private static let headSize = 10

    private static func chapters(_ file: ReadableFile) throws(MovieFileError) -> [MovieInfo.Chapter] {
        let head = try file.read(upTo: headSize, at: 0)
        guard head.count == headSize, head.starts(with: "ID3".utf8), head[3] == 3 || head[3] == 4 else { return [] }
        let (isFour, flags) = (head[3] == 4, head[5])
        var bytes = try file.read(upTo: min(sevens(head[6...]), maximumSize), at: UInt64(headSize))[...]
        if !isFour, flags & 0x80 != 0 { bytes = synchronized(bytes)[...] }
        // A second head counts itself since version 4.
        if flags & 0x40 != 0 {
            bytes = bytes.dropFirst(isFour ? sevens(bytes.prefix(4)) : plain(bytes.prefix(4)) + 4)
        }
        var chapters: [MovieInfo.Chapter] = []
        for frame in frames(bytes, isFour) where frame.id == "CHAP" && chapters.count < maximumCount {
            if let chapter = chapter(frame.bytes, isFour) { chapters.append(chapter) }
        }
        return chapters.sorted { $0.start < $1.start }
    }

    /// A name that nobody sees, beginning and end in milliseconds and in bytes, then frames of its own.
    private static func chapter(_ bytes: ArraySlice<UInt8>, _ isFour: Bool) -> MovieInfo.Chapter? {
        guard let end = bytes.firstIndex(of: 0) else { return nil }
        let times = bytes[(end + 1)...].prefix(16)
        guard times.count == 16 else { return nil }
        let title = frames(bytes[times.endIndex...], isFour).first { $0.id == "TIT2" }
        return MovieInfo.Chapter(
            start: plain(times.prefix(4)) * .millisecond, title: title.map { text($0.bytes) } ?? "")
    }

    /// The frames that lie behind each other, to the first that is none.
    private static func frames(_ bytes: ArraySlice<UInt8>, _ isFour: Bool) -> [(id: String, bytes: ArraySlice<UInt8>)] {
        var (rest, frames) = (bytes, [(id: String, bytes: ArraySlice<UInt8>)]())
        while rest.count > headSize, rest.first != 0 {
            let head = rest.prefix(headSize)
            let size = isFour ? sevens(head.dropFirst(4).prefix(4)) : plain(head.dropFirst(4).prefix(4))
            rest = rest.dropFirst(headSize)
            guard size > 0, size <= rest.count else { break }
            var data = rest.prefix(size)
            rest = rest.dropFirst(size)
            if isFour, let flags = head.last {
                // A length in front of it, and bytes that were put in.
                if flags & 1 != 0 { data = data.dropFirst(4) }
                if flags & 2 != 0 { data = synchronized(data)[...] }
            }
            frames.append((String(decoding: head.prefix(4), as: UTF8.self), data))
        }
        return frames
    }

    /// Without the zeros behind each 255, which keep players of MP3 from taking a tag for audio.
    private static func synchronized(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var (result, last): ([UInt8], UInt8) = ([], 0)
        result.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte != 0 || last != 255 { result.append(byte) }
            last = byte
        }
        return result
    }

    /// A text, whose first byte says how it is written.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let body = bytes.dropFirst()
        switch bytes.first {
        case 0: return String(decoding: body.prefix { $0 != 0 }.map { UInt16($0) }, as: UTF16.self)
        case 1, 2:
            let units = stride(from: body.startIndex, to: body.endIndex - 1, by: 2).map {
                UInt16(body[$0]) << 8 | UInt16(body[$0 + 1])
            }
            let isSwapped = units.first == 0xFFFE
            let marked = units.first == 0xFFFE || units.first == 0xFEFF ? units.dropFirst() : units[...]
            return String(decoding: marked.map { isSwapped ? $0.byteSwapped : $0 }.prefix { $0 != 0 }, as: UTF16.self)
        default: return String(decoding: body.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private static func plain(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    /// Seven bits a byte.
    private static func sevens(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) } }
}
