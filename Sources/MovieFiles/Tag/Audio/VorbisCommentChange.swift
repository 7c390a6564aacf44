import MediaTypes

/// What a change makes of Vorbis comments, as FLAC, Vorbis and Opus have them ("Ogg Vorbis I format specification: comment field and header
/// specification"). Those that it does not concern stay as they are, whatever their names.
struct VorbisCommentChange {
    let bytes: [UInt8]
    /// What followed the old ones.
    let rest: ArraySlice<UInt8>

    private static let covers: Set = [
        "METADATA_BLOCK_PICTURE", "COVERART", "COVERARTMIME", "COVERARTTYPE", "COVERARTDESCRIPTION",
    ]

    /// - Parameters:
    ///   - old: from the length of the vendor's name to the last comment; empty where there was none.
    ///   - hasImages: whether covers are among the comments.
    /// - Throws: `damaged` where they do not end where they say.
    init(_ change: MovieChange, of old: ArraySlice<UInt8>, hasImages: Bool) throws(MovieFileError) {
        var (vendor, kept, rest) = (Array("Rushes".utf8)[...], [ArraySlice<UInt8>](), old)
        if !old.isEmpty {
            vendor = try Self.take(&rest)
            guard let count = Array(rest.prefix(4)).little(UInt32.self, at: 0) else { throw Self.damaged }
            rest = rest.dropFirst(4)
            for _ in 0..<count { kept.append(try Self.take(&rest)) }
        }
        let names = Self.outdated(change)
        kept.removeAll { comment in
            let name = String(decoding: comment.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self).uppercased()
            return names.contains(name) || change.chapters != nil && Self.isChapter(name)
                || change.metadata.artwork != nil && hasImages && Self.covers.contains(name)
        }
        let new = VorbisComments.fields(change.metadata, change.chapters ?? [], hasImages: hasImages)
        bytes = VorbisComments.bytes(vendor: vendor, kept.map { Array($0) } + new)
        self.rest = rest
    }

    private static func outdated(_ change: MovieChange) -> Set<String> {
        let fields = MetadataField.allCases.filter { change.metadata[$0] != nil }
        return Set(fields.flatMap { $0.commonNames.map { $0.uppercased() } + [$0.vorbisName] })
            .union(change.metadata.others.map { $0.name.uppercased() })
    }

    /// "CHAPTER001" and "CHAPTER001NAME".
    private static func isChapter(_ name: String) -> Bool {
        guard name.hasPrefix("CHAPTER") else { return false }
        let number = name.dropFirst(7).prefix { $0.isNumber }
        return (2...3).contains(number.count) && ["", "NAME", "URL"].contains(name.dropFirst(7 + number.count))
    }

    private static func take(_ bytes: inout ArraySlice<UInt8>) throws(MovieFileError) -> ArraySlice<UInt8> {
        guard let size = Array(bytes.prefix(4)).little(UInt32.self, at: 0), Int(size) <= bytes.count - 4 else {
            throw damaged
        }
        defer { bytes = bytes.dropFirst(4 + Int(size)) }
        return bytes.dropFirst(4).prefix(Int(size))
    }

    private static let damaged = MovieFileError.damaged(reason: "its comments do not end where they say that they do")
}
