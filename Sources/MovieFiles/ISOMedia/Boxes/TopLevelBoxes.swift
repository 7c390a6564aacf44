/// The boxes of a file, one after the other, of which only the headers are read.
struct TopLevelBoxes {
    /// A box as its header tells.
    struct Entry: Sendable {
        var header: BoxHeader
        /// Of its first byte in the file.
        var offset: UInt64
        /// In bytes, header included; not more than the file has left.
        var size: UInt64
        /// Whether the file holds all of it.
        var isWhole: Bool

        var end: UInt64 { offset + size }
        var type: FourCC { header.type }
    }

    private let file: ReadableFile
    private var offset: UInt64
    private var count = 0
    /// The types of the first few boxes that were found.
    private(set) var types: [FourCC] = []

    /// Four boxes a second for a hundred hours, and some more.
    private static let maximumCount = 4_000_000
    /// The index of a recording of a whole day is a tenth of this.
    private static let maximumLoadedSize: UInt64 = 512 << 20

    /// Begins at `offset`, which has to be that of a box.
    init(_ file: ReadableFile, from offset: UInt64 = 0) {
        self.file = file
        self.offset = offset
    }

    /// Continues elsewhere, where another box begins; boxes are counted from there.
    mutating func move(to offset: UInt64) { (self.offset, count) = (offset, 0) }

    /// The next box; nil at the end of the file, also where too few bytes are left for a header.
    ///
    /// - Throws: `invalidBox` where a size is impossible, or there are more boxes than any movie has.
    mutating func next() throws(MovieFileError) -> Entry? {
        let bytes = try file.read(upTo: BoxHeader.maximumSize, at: offset)
        guard let header = try BoxHeader(bytes, fileOffset: offset) else { return nil }
        count += 1
        guard count <= Self.maximumCount else {
            throw .invalidBox(header.type, offset: offset, reason: "more boxes precede it than any movie has")
        }
        if types.count < 4 { types.append(header.type) }
        let left = file.size - offset
        let size = header.size ?? left
        let entry = Entry(header: header, offset: offset, size: min(size, left), isWhole: size <= left)
        offset = entry.end
        return entry
    }

    /// The next box. What a dying machine leaves at the end of a file can be anything, so where no box is required one that
    /// makes no sense is the end.
    mutating func nextSensible(isRequired: Bool) throws(MovieFileError) -> Entry? {
        do {
            let entry = try next()
            return isRequired || entry?.type.isPlausible == true ? entry : nil
        } catch {
            if isRequired { throw error }
            return nil
        }
    }

    /// Why a file is no movie in which no index was found, by the boxes that were.
    var missingIndex: MovieFileError {
        if file.size == 0 { return .notAMovie(reason: "the file is empty") }
        if let other = OtherContainer.name(of: file) { return .notAMovie(reason: "it is \(other)") }
        let movieBoxes: Set<FourCC> = ["ftyp", "mdat", "wide", "free", "skip", "moov", "moof"]
        return .notAMovie(
            reason: types.contains(where: movieBoxes.contains)
                ? "it holds no index ('moov'); its recorder may have died before it wrote one"
                : "it holds none of a movie's boxes")
    }

    /// Loads a box that `next` has returned.
    static func load(_ entry: Entry, from file: ReadableFile) throws(MovieFileError) -> Box {
        guard entry.isWhole else {
            throw .invalidBox(entry.type, offset: entry.offset, reason: "the file ends before it does")
        }
        guard entry.size <= maximumLoadedSize else {
            throw .invalidBox(entry.type, offset: entry.offset, reason: "it is larger than any real one")
        }
        return try Box(try file.read(upTo: Int(entry.size), at: entry.offset), at: entry.offset)
    }
}

extension TopLevelBoxes.Entry {
    /// Whether an `ftyp` box names QuickTime's as the major brand.
    func hasQuickTimeBrand(_ file: ReadableFile) throws(MovieFileError) -> Bool {
        try file.read(upTo: 4, at: offset + UInt64(header.headerSize)).elementsEqual("qt  ".utf8)
    }
}
