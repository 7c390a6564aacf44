package import SystemPackage

/// What a Flash video file says of itself in its first script (Adobe Flash Video File Format Specification 10.1, E.4.4), of which GStreamer's
/// demuxer (1.22) hands on next to nothing.
package enum FLVTags {
    /// Of a script: what is longer lists key frames.
    private static let maximumSize = 1 << 20

    /// Blocks.
    ///
    /// - Returns: nil for any other file, and where it says nothing.
    /// - Throws: `notAFile`, `system`.
    package static func read(_ path: FilePath) throws(MovieFileError) -> MovieMetadata? {
        try ReadableFile.open(path) { (file) throws(MovieFileError) -> MovieMetadata? in
            let head = try file.read(upTo: 9, at: 0)
            guard head.count == 9, head.starts(with: "FLV".utf8) else { return nil }
            // Behind the head stands the size of the tag before it, which is none.
            let place = UInt64(ActionMessage.number(head[5...])) + 4
            let tag = try file.read(upTo: 11, at: place)
            guard tag.count == 11, tag[0] & 0x3F == 18 else { return nil }
            let size = min(ActionMessage.number(tag[1..<4]), maximumSize)
            return metadata(try file.read(upTo: size, at: place + 11)[...])
        }
    }

    private static func metadata(_ script: ArraySlice<UInt8>) -> MovieMetadata? {
        var message = ActionMessage(rest: script)
        guard message.value() == "onMetaData", let texts = message.texts() else { return nil }
        var metadata = MovieMetadata(named: texts)
        metadata.creationDate = texts["date"].flatMap { MovieDate($0) }
        return metadata
    }
}

/// Values as Flash writes them (Adobe, "Action Message Format 0", section 2).
private struct ActionMessage {
    var rest: ArraySlice<UInt8>
    private var depth = 0

    private static let deepest = 8

    init(rest: ArraySlice<UInt8>) { self.rest = rest }

    static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// The next bytes; nil where there are fewer.
    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private mutating func text(sizedBy count: Int) -> String? {
        take(count).map(Self.number).flatMap { take($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The texts of a list or an object that comes next, by their names in small letters, to the first value that is none.
    mutating func texts() -> [String: String]? {
        guard let kind = take(1)?.first, kind == 3 || kind == 8 && take(4) != nil else { return nil }
        return members()
    }

    private mutating func members() -> [String: String] {
        var texts: [String: String] = [:]
        depth += 1
        defer { depth -= 1 }
        // An empty name and a 9 end it.
        while depth <= Self.deepest, let name = text(sizedBy: 2), rest.first != 9, let value = value() {
            if !value.isEmpty { texts[name.lowercased()] = value }
        }
        if rest.first == 9 { rest = rest.dropFirst() }
        return texts
    }

    /// Reads a value: a text, or an empty one for what is none; nil where it ends too early or is not known.
    mutating func value() -> String? {
        guard let kind = take(1)?.first else { return nil }
        switch kind {
        case 2: return text(sizedBy: 2)
        case 12: return text(sizedBy: 4)
        case 3: _ = members()
        case 8:
            guard take(4) != nil else { return nil }
            _ = members()
        case 10: return list()
        default:
            // Numbers, truth, nothing and dates.
            let sizes: [UInt8: Int] = [0: 8, 1: 1, 5: 0, 6: 0, 11: 10]
            guard let size = sizes[kind], take(size) != nil else { return nil }
        }
        return ""
    }

    private mutating func list() -> String? {
        guard let count = take(4).map(Self.number), depth < Self.deepest else { return nil }
        depth += 1
        defer { depth -= 1 }
        for _ in 0..<count { guard value() != nil else { return nil } }
        return ""
    }
}
