/// The chunks of a WAV file, one after the other, of which only the heads are read (Microsoft, "Multimedia Programming Interface and Data
/// Specifications 1.0"; of RF64, EBU Tech 3306).
struct WaveChunks {
    struct Chunk {
        let name: String
        /// Of its first byte behind the head.
        let place: UInt64
        /// In bytes, without that which fills up an odd number.
        let size: UInt64
    }

    private let file: ReadableFile
    private var place: UInt64 = 12
    private var count = 0
    /// Of the audio, where 32 bits are too few for it.
    private var longSize: UInt64?

    /// No file that plays has more.
    private static let most = 1000

    /// - Returns: nil for what is no WAV file.
    /// - Throws: `system`.
    init?(_ file: ReadableFile) throws(MovieFileError) {
        self.file = file
        let head = try file.read(upTo: 12, at: 0)
        guard ["RIFF", "RF64"].contains(where: { head.starts(with: $0.utf8) }),
            head.dropFirst(8).elementsEqual("WAVE".utf8)
        else { return nil }
    }

    /// The next one; nil at the end of the file.
    ///
    /// - Throws: `system`.
    mutating func next() throws(MovieFileError) -> Chunk? {
        let head = try file.read(upTo: 8, at: place)
        guard head.count == 8, count < Self.most else { return nil }
        count += 1
        let name = String(decoding: head.prefix(4), as: UTF8.self)
        var size = Self.number(head, 4, 4)
        if name == "data", size == 0xFFFF_FFFF, let longSize { size = longSize }
        let chunk = Chunk(name: name, place: place + 8, size: size)
        if name == "ds64" { longSize = Self.number(try content(of: chunk, atMost: 16), 8, 8) }
        let (next, isTooFar) = place.addingReportingOverflow(8 + min(size, 1 << 62) + size % 2)
        place = isTooFar ? .max - 8 : next
        return chunk
    }

    /// Its first bytes, as many as it and the file have.
    ///
    /// - Throws: `system`.
    func content(of chunk: Chunk, atMost most: Int) throws(MovieFileError) -> [UInt8] {
        try file.read(upTo: min(most, Int(clamping: chunk.size)), at: chunk.place)
    }

    /// A number of so many bytes, the lowest first; of those that are there.
    static func number(_ bytes: some Sequence<UInt8>, _ place: Int, _ count: Int) -> UInt64 {
        bytes.dropFirst(place).prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
