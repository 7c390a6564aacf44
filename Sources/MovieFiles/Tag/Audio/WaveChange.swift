import MediaTypes

/// What a change makes of a WAV file: another `LIST` of `INFO`, places that have names, and an `id3 ` chunk for what neither has a place for. All
/// other chunks stay, and those before the audio where they are.
struct WaveChange {
    private(set) var pieces: [AudioFileChange.Piece] = []
    private let change: MovieChange
    private let file: ReadableFile
    private var size: UInt64 = 12
    /// What comes behind all that there is.
    private var added: [UInt8] = []
    private var (hasInfo, hasTag) = (false, false)
    private var largeSizes: Int?
    private var format: [UInt8] = []
    private var audioSize: UInt64 = 0

    /// Of a chunk that is written anew; covers are no larger.
    private static let maximumSize = 16 << 20

    /// - Throws: `unsupported` for a chapter behind the end, and for 4 GiB of a file that has no place for such sizes; `damaged` where it does not
    ///   end where it says that it does, `system`.
    init(_ change: MovieChange, of file: ReadableFile) throws(MovieFileError) {
        (self.change, self.file) = (change, file)
        guard var chunks = try WaveChunks(file) else { throw .damaged(reason: "it is not a WAV file") }
        let isLarge = try file.read(upTo: 4, at: 0).elementsEqual("RF64".utf8)
        pieces = [.bytes([])]
        var end: UInt64 = 12
        while let chunk = try chunks.next() {
            guard chunk.size <= file.size, chunk.place + chunk.size <= file.size else { throw Self.isCutOff }
            // That which fills up an odd number of bytes may be missing at the end.
            end = min(chunk.place + chunk.size + chunk.size % 2, file.size)
            try take(chunk, chunks, upTo: end)
        }
        guard end == file.size else { throw Self.isCutOff }
        if end % 2 == 1 { added.insert(0, at: 0) }
        if !hasInfo { added.append(list: Self.info(of: change.metadata, instead: [], adds: true)) }
        if !hasTag, needsTag { added.append(chunk: "id3 ", try tag(instead: nil)) }
        if let chapters = change.chapters { try add(chapters) }
        append(.bytes(added))
        try setSizes(isLarge)
    }

    private static let isCutOff = MovieFileError.damaged(
        reason: "its chunks do not end where they say that they do; recover it first")

    /// Keeps a chunk, or what becomes of it.
    private mutating func take(
        _ chunk: WaveChunks.Chunk, _ chunks: WaveChunks, upTo end: UInt64
    ) throws(MovieFileError) {
        switch chunk.name {
        case "LIST", "list":
            let content = try chunks.content(of: chunk, atMost: Self.maximumSize)
            if content.starts(with: "INFO".utf8), UInt64(content.count) == chunk.size {
                var list: [UInt8] = []
                list.append(list: Self.info(of: change.metadata, instead: content, adds: !hasInfo))
                hasInfo = true
                return append(.bytes(list))
            }
            if content.starts(with: "adtl".utf8), change.chapters != nil { return }
        case "cue " where change.chapters != nil: return
        case "id3 ", "ID3 ":
            guard !hasTag else { break }
            hasTag = true
            let old = ID3Tag(try chunks.content(of: chunk, atMost: Self.maximumSize))
            guard let old, old.isWhole else {
                throw .unsupported(reason: "its ID3 tag is damaged, or of a version that nobody writes any more")
            }
            var tag: [UInt8] = []
            tag.append(chunk: chunk.name, try self.tag(instead: old))
            return append(.bytes(tag))
        case "bext" where change.metadata.creationDate != nil:
            let content = try chunks.content(of: chunk, atMost: Self.maximumSize)
            guard UInt64(content.count) == chunk.size, content.count >= 338 else { break }
            var new: [UInt8] = []
            new.append(chunk: "bext", dated(content))
            return append(.bytes(new))
        case "ds64": largeSizes = pieces.count
        case "fmt ": format = try chunks.content(of: chunk, atMost: 16)
        case "data": audioSize = chunk.size
        default: break
        }
        append(.range(chunk.place - 8..<end))
    }

    /// Broadcast Wave's chunk with another date and time of day (EBU Tech 3285).
    private func dated(_ content: [UInt8]) -> [UInt8] {
        let date = change.metadata.creationDate?.description ?? ""
        var new = content
        new.replaceSubrange(320..<330, with: WaveLayout.field(String(date.prefix(10)), 10))
        new.replaceSubrange(330..<338, with: WaveLayout.field(String(date.dropFirst(11).prefix(8)), 8))
        return new
    }

    private mutating func append(_ piece: AudioFileChange.Piece) {
        switch piece {
        case .bytes(let bytes): size += UInt64(bytes.count)
        case .range(let range), .pages(let range, _): size += UInt64(range.count)
        }
        pieces.append(piece)
    }

    /// Whether something changes that only a tag has a place for.
    private var needsTag: Bool {
        let fields = MetadataField.allCases.filter { WaveLayout.infoNames[$0] == nil }
        return change.metadata.artwork?.isEmpty == false || !change.metadata.others.isEmpty
            || fields.contains { !(change.metadata[$0] ?? "").isEmpty }
    }

    private func tag(instead old: ID3Tag?) throws(MovieFileError) -> [UInt8] {
        // Places with names have chunks of their own.
        try ID3TagChange(MovieChange(metadata: change.metadata), of: old.map { [$0] } ?? [], end: .zero).bytes
    }

    private mutating func add(_ chapters: [MovieInfo.Chapter]) throws(MovieFileError) {
        let rate = Int(WaveChunks.number(format, 4, 4))
        guard rate > 0 else { throw .damaged(reason: "it does not say what its samples are") }
        // PCM, in numbers, floats or with what its channels are for; of compressed audio nobody has counted the bytes.
        let bytesPerSecond = WaveChunks.number(format, 8, 4)
        if [1, 3, 0xFFFE].contains(WaveChunks.number(format, 0, 2)), bytesPerSecond > 0 {
            let seconds = Double(audioSize) / Double(bytesPerSecond)
            try MovieEditing.refuseLate(chapters, end: MediaTime(seconds: min(seconds, 1e9)))
        }
        added += WaveLayout.places(chapters, sampleRate: rate)
    }

    private mutating func setSizes(_ isLarge: Bool) throws(MovieFileError) {
        var head = try file.read(upTo: 12, at: 0)
        if isLarge, let largeSizes, case .range(let range) = pieces[largeSizes], range.count >= 16 {
            var chunk = try file.read(upTo: range.count, at: range.lowerBound)
            chunk.replaceSubrange(8..<16, with: (0..<8).map { UInt8(truncatingIfNeeded: (size - 8) >> (8 * $0)) })
            pieces[largeSizes] = .bytes(chunk)
        } else {
            guard size - 8 <= UInt64(UInt32.max) else {
                throw .unsupported(reason: "WAV of 4 GiB has no room for more; a copy of it has")
            }
            head.replaceSubrange(4..<8, with: (0..<4).map { UInt8(truncatingIfNeeded: (size - 8) >> (8 * $0)) })
        }
        pieces[0] = .bytes(head)
    }
}
