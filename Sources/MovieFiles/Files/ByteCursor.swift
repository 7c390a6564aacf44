/// A file's bytes one behind the other, which are read from the disk in large pieces.
struct ByteCursor {
    private let file: ReadableFile
    /// Where the next byte lies.
    private(set) var position: UInt64
    private var piece: [UInt8] = []
    private var start: UInt64 = 0

    private static let pieceSize = 1 << 18

    /// - Parameter place: of the first byte.
    init(_ file: ReadableFile, at place: UInt64 = 0) { (self.file, position) = (file, place) }

    mutating func skip(_ count: Int) { position += UInt64(count) }

    /// nil behind the end.
    ///
    /// - Throws: `system`.
    mutating func next() throws(MovieFileError) -> UInt8? {
        guard try holds(1) else { return nil }
        defer { position += 1 }
        return piece[Int(position - start)]
    }

    /// nil where there are not as many.
    ///
    /// - Parameter count: no more than a piece has.
    /// - Throws: `system`.
    mutating func next(_ count: Int) throws(MovieFileError) -> [UInt8]? {
        guard try holds(count) else { return nil }
        let place = Int(position - start)
        position += UInt64(count)
        return Array(piece[place..<place + count])
    }

    private mutating func holds(_ count: Int) throws(MovieFileError) -> Bool {
        if position >= start, position + UInt64(count) <= start + UInt64(piece.count) { return true }
        (piece, start) = (try file.read(upTo: Self.pieceSize, at: position), position)
        return piece.count >= count
    }
}
