import Foundation
import MediaTypes
package import SystemPackage

/// The chapters among the comments of FLAC, Vorbis and Opus: `CHAPTER001=00:01:30.500` and `CHAPTER001NAME=…` (Xiph's "Chapter Extension").
package enum CommentChapters {
    /// Of comments: a cover may be among them, as text.
    private static let maximumSize = 16 << 20
    /// Before the comments: an application's own data.
    private static let mostBlocks = 1000

    /// Reads a file's comments; empty where it has none, or none of chapters. Blocks.
    ///
    /// - Throws: `system`.
    package static func read(_ path: FilePath) throws(MovieFileError) -> [MovieInfo.Chapter] {
        chapters(try comments(of: path))
    }

    /// Texts by their names in small letters that are not in UTF-8, as they have to be (Vorbis I, section 5): GStreamer (1.22) leaves them out without a
    /// word. What is no letter is a replacement character.
    package static func brokenTexts(of path: FilePath) -> [String: String] {
        let broken = ((try? comments(of: path)) ?? []).filter { String(bytes: $0, encoding: .utf8) == nil }
        let pairs = broken.compactMap { comment in
            comment.firstIndex(of: UInt8(ascii: "=")).map { place in
                (
                    String(decoding: comment[..<place], as: UTF8.self).lowercased(),
                    String(decoding: comment[(place + 1)...], as: UTF8.self)
                )
            }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Texts by their names, each once, but for covers and chapters: of what GStreamer (1.22) has tags of its own for, such as MusicBrainz'
    /// identifiers and how loud the audio is, it says nothing under the file's names.
    package static func texts(of path: FilePath) -> [String: String] {
        let pairs = ((try? comments(of: path)) ?? []).compactMap { comment -> (String, String)? in
            guard comment.count < mostLetters, let place = comment.firstIndex(of: UInt8(ascii: "=")),
                let name = String(bytes: comment[..<place], encoding: .utf8),
                let text = String(bytes: comment[(place + 1)...], encoding: .utf8),
                !passedOver.contains(name.lowercased()),
                name.wholeMatch(of: /(?i:CHAPTER)\d{2,3}.*/) == nil
            else { return nil }
            return (name, text)
        }
        return Dictionary(pairs) { $0 == $1 ? $0 : "\($0), \($1)" }
    }

    /// Whether one of its covers has a description (RFC 9639, section 8.8), among comments as text of base 64.
    package static func describesCovers(in path: FilePath) -> Bool {
        let name = "METADATA_BLOCK_PICTURE="
        return ((try? comments(of: path)) ?? []).contains { comment in
            let begin = String(decoding: comment.prefix(name.utf8.count), as: UTF8.self)
            // What it shows, the length of its media type, that, and the length of its description.
            let text = Data(comment.dropFirst(name.utf8.count).prefix(mostLetters))
            guard begin.uppercased() == name, let block = Data(base64Encoded: text.prefix(text.count & ~3)) else {
                return false
            }
            func number(_ place: Int) -> Int {
                block.dropFirst(place).prefix(4).reduce(0) { $0 << 8 | Int($1) }
            }
            return number(8 + number(4)) > 0
        }
    }

    /// Of a text, in bytes.
    private static let mostLetters = 1 << 16
    /// Images, under the fields' names that programs write, and what is part of another number here.
    private static let passedOver: Set = [
        "metadata_block_picture", "coverart", "coverartmime", "coverarttype", "coverartdescription", "tracktotal",
        "totaltracks",
        "disctotal", "totaldiscs",
    ]

    private static func comments(of path: FilePath) throws(MovieFileError) -> [ArraySlice<UInt8>] {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            let head = try file.read(upTo: 4, at: 0)
            if head.elementsEqual("fLaC".utf8) { return comments(in: try flacComments(file) ?? []) }
            if head.elementsEqual("OggS".utf8) { return comments(in: try oggComments(file) ?? []) }
            return []
        }
    }

    /// The block of type 4 (RFC 9639, section 8.6).
    private static func flacComments(_ file: ReadableFile) throws(MovieFileError) -> ArraySlice<UInt8>? {
        var place: UInt64 = 4
        for _ in 0..<mostBlocks {
            let head = try file.read(upTo: 4, at: place)
            guard head.count == 4 else { return nil }
            let size = head.dropFirst().reduce(0) { $0 << 8 | Int($1) }
            if head[0] & 0x7F == 4 { return try file.read(upTo: size, at: place + 4)[...] }
            guard head[0] & 0x80 == 0 else { return nil }
            place += 4 + UInt64(size)
        }
        return nil
    }

    /// The second packet of the first stream, without what tells its codec.
    private static func oggComments(_ file: ReadableFile) throws(MovieFileError) -> ArraySlice<UInt8>? {
        var cursor = ByteCursor(file)
        guard let first = try OggPage.next(&cursor) else { return nil }
        var (packet, isWithin) = ([UInt8](), false)
        while packet.count < maximumSize, let page = try OggPage.next(&cursor) {
            guard page.serial == first.serial else { continue }
            for (index, part) in page.parts.enumerated() {
                if isWithin, index > 0 || !page.continues { return body(packet) }
                packet += part
                isWithin = true
                if index < page.parts.count - 1 || page.isComplete { return body(packet) }
            }
        }
        return nil
    }

    private static func body(_ packet: [UInt8]) -> ArraySlice<UInt8>? {
        if packet.starts(with: "OpusTags".utf8) { return packet.dropFirst(8) }
        if packet.starts(with: [3] + "vorbis".utf8) { return packet.dropFirst(7) }
        // FLAC's block in Ogg, with its head.
        return packet.first.map { $0 & 0x7F == 4 } == true ? packet.dropFirst(4) : nil
    }

    /// A vendor's name, then so many comments, each with its length before it (Vorbis I, section 5).
    private static func comments(in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var (rest, comments) = (bytes, [ArraySlice<UInt8>]())
        func number() -> Int? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard let vendor = number(), vendor <= rest.count else { return [] }
        rest = rest.dropFirst(vendor)
        for _ in 0..<(number() ?? 0) {
            guard let size = number(), size <= rest.count else { break }
            comments.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return comments
    }

    private static func chapters(_ comments: [ArraySlice<UInt8>]) -> [MovieInfo.Chapter] {
        var (starts, names): ([Int: MediaTime], [Int: String]) = ([:], [:])
        for comment in comments {
            guard comment.count < 1 << 16,
                let match = String(decoding: comment, as: UTF8.self)
                    .wholeMatch(of: /(?i:CHAPTER)(\d{2,3})((?i:NAME))?=((?s:.*))/), let index = Int(match.1)
            else { continue }
            if match.2 != nil { names[index] = String(match.3) } else { starts[index] = time(match.3) }
        }
        return starts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map {
            MovieInfo.Chapter(start: $0.value, title: names[$0.key] ?? "")
        }
    }

    /// "00:01:30.500"; nil for anything else.
    private static func time(_ text: Substring) -> MediaTime? {
        guard let match = text.wholeMatch(of: /(\d{1,4}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)/),
            let hours = Double(match.1), let minutes = Double(match.2), let seconds = Double(match.3)
        else { return nil }
        return MediaTime(seconds: (hours * 60 + minutes) * 60 + seconds)
    }
}
