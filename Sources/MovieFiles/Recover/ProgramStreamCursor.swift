/// The packs and packets of a program stream, one after the other (ISO/IEC 13818-1, 2.5.3; ISO/IEC 11172-1, 2.4.4).
struct ProgramStreamCursor {
    /// What a pack begins with in place of a stream's number.
    static let pack: UInt8 = 0xBA

    private var window: FileWindow
    /// Where the last one that was given begins, in bytes.
    private(set) var begin: UInt64 = 0
    private var place: UInt64 = 0
    private let end: UInt64
    private let headSize: Int

    /// - Parameters:
    ///   - searched: how much of it is looked at, in bytes.
    ///   - headSize: how much of each is wanted, in bytes: 14 or more.
    init(_ file: ReadableFile, searched: UInt64, headSize: Int) {
        (window, end, self.headSize) = (FileWindow(file), min(file.size, searched), headSize)
    }

    /// What the next pack or packet begins with, its start code first; nil at the end, and at what is neither.
    mutating func next() throws(MovieFileError) -> [UInt8]? {
        guard place < end else { return nil }
        let head = Array(try window.bytes(headSize, at: place))
        guard head.count >= 14, head.starts(with: [0, 0, 1]), head[3] >= Self.pack else { return nil }
        begin = place
        if head[3] == Self.pack {
            place += head[4] & 0xC0 == 0x40 ? 14 + UInt64(head[13] & 7) : 12
        } else {
            place += 6 + (UInt64(head[4]) << 8 | UInt64(head[5]))
        }
        return head
    }
}
