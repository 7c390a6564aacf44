/// An ID3v2 tag of version 3 or 4 (ID3v2.4.0, "Main Structure" and "Native Frames"), as MP3 files begin with, and as a chunk of WAV files holds it.
struct ID3Tag: Sendable {
    /// A frame: what it is, its data, and all of it as it lies in the tag.
    typealias Frame = (id: String, bytes: ArraySlice<UInt8>, whole: ArraySlice<UInt8>)

    let frames: [Frame]
    /// Whether they fill it, but for what is left free.
    let isWhole: Bool
    private let isFour: Bool
    /// 3 or 4.
    var version: UInt8 { isFour ? 4 : 3 }

    /// Of a tag: covers come behind the chapters, or are no larger.
    static let maximumSize = 16 << 20
    static let headSize = 10
    /// Tags that follow each other.
    static let mostOfFile = 8

    /// How many bytes a tag has that begins so, at most; nil where none does.
    static func size(_ head: [UInt8]) -> Int? {
        guard head.count >= headSize, head.starts(with: "ID3".utf8), head[3] == 3 || head[3] == 4 else { return nil }
        return headSize + min(sevens(head[6..<headSize]), maximumSize)
    }

    /// Where a file begins that has such tags before it, of which editors put one before another; 0 where it has none.
    static func end(in file: ReadableFile) throws(MovieFileError) -> UInt64 {
        var place: UInt64 = 0
        for _ in 0..<mostOfFile {
            guard let size = size(try file.read(upTo: headSize, at: place)) else { break }
            place += UInt64(size)
        }
        return place
    }

    /// The tag at a place of a file, and how many bytes it takes; nil where none begins.
    ///
    /// - Throws: `unsupported` for one that cannot be changed, `system`.
    static func changeable(_ file: ReadableFile, at place: UInt64) throws(MovieFileError) -> (tag: ID3Tag, size: Int)? {
        let head = try file.read(upTo: headSize, at: place)
        guard head.count == headSize, head.starts(with: "ID3".utf8), head[3] < 0xFF else { return nil }
        guard head[3] == 3 || head[3] == 4 else {
            throw .unsupported(
                reason: "its ID3 tag is of version 2.\(head[3]), which nobody writes any more; a copy of it has another"
            )
        }
        // Version 4 may have its head at the end, too.
        let size = headSize + sevens(head[6..<headSize]) + (head[3] == 4 && head[5] & 0x10 != 0 ? headSize : 0)
        let tag = size <= maximumSize ? ID3Tag(try file.read(upTo: size, at: place)) : nil
        guard let tag, tag.isWhole else {
            throw .unsupported(reason: "its ID3 tag is damaged, or has more than 16 MiB; a copy of it has another")
        }
        return (tag, size)
    }

    /// - Parameter tag: all of it; of what is longer the rest is not looked at.
    /// - Returns: nil where it is none.
    init?(_ tag: [UInt8]) {
        guard let size = Self.size(tag) else { return nil }
        isFour = tag[3] == 4
        var bytes = tag.prefix(size).dropFirst(Self.headSize)
        let flags = tag[5]
        if !isFour, flags & 0x80 != 0 { bytes = Self.synchronized(bytes)[...] }
        // A second head counts itself since version 4.
        if flags & 0x40 != 0 {
            bytes = bytes.dropFirst(isFour ? Self.sevens(bytes.prefix(4)) : Self.plain(bytes.prefix(4)) + 4)
        }
        (frames, isWhole) = Self.frames(bytes, isFour)
    }

    /// The frames that lie in a frame.
    func frames(in bytes: ArraySlice<UInt8>) -> [Frame] { Self.frames(bytes, isFour).frames }

    /// The frames that lie behind each other, to the first that is none, and whether nothing follows them.
    private static func frames(_ bytes: ArraySlice<UInt8>, _ isFour: Bool) -> (frames: [Frame], isWhole: Bool) {
        var (rest, frames) = (bytes, [Frame]())
        while rest.count > headSize, rest.first != 0 {
            let (head, start) = (rest.prefix(headSize), rest.startIndex)
            let size = isFour ? sevens(head.dropFirst(4).prefix(4)) : plain(head.dropFirst(4).prefix(4))
            rest = rest.dropFirst(headSize)
            guard size > 0, size <= rest.count else { return (frames, false) }
            var data = rest.prefix(size)
            rest = rest.dropFirst(size)
            let whole = bytes[start..<data.endIndex]
            if isFour, let flags = head.last {
                // A length in front of it, and bytes that were put in.
                if flags & 1 != 0 { data = data.dropFirst(4) }
                if flags & 2 != 0 { data = synchronized(data)[...] }
            }
            frames.append((String(decoding: head.prefix(4), as: UTF8.self), data, whole))
        }
        return (frames, rest.allSatisfy { $0 == 0 })
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

    /// The texts of a frame, whose first byte says how they are written.
    static func texts(_ bytes: ArraySlice<UInt8>) -> [String] {
        let body = bytes.dropFirst()
        switch bytes.first {
        case 0: return body.split(separator: 0).map { String(decoding: $0.map { UInt16($0) }, as: UTF16.self) }
        case 1, 2:
            let units = stride(from: body.startIndex, to: body.endIndex - 1, by: 2).map {
                UInt16(body[$0]) << 8 | UInt16(body[$0 + 1])
            }
            return units.split(separator: 0).map { text in
                let isSwapped = text.first == 0xFFFE
                let marked = text.first == 0xFFFE || text.first == 0xFEFF ? text.dropFirst() : text
                return String(decoding: marked.map { isSwapped ? $0.byteSwapped : $0 }, as: UTF16.self)
            }
        default: return body.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    static func plain(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    /// Seven bits a byte.
    private static func sevens(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) } }
}
