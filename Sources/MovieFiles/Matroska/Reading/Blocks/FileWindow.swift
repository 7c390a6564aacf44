/// A look at a few bytes of a file at a time, at places that only go on.
///
/// Where much lies between the places it reads little and seeks over the rest; where they lie close together it reads ahead.
struct FileWindow {
    let file: ReadableFile
    private var bytes: [UInt8] = []
    private var start: UInt64 = 0
    /// How much is read at once, in bytes.
    private var length = smallest
    /// How often the bytes of the last reading were asked for.
    private var uses = 0

    private static let smallest = 256
    private static let largest = 256 << 10

    init(_ file: ReadableFile) {
        self.file = file
    }

    /// Up to `count` bytes, which is to be a few; fewer only at the end of the file.
    mutating func bytes(_ count: Int, at offset: UInt64) throws(MovieFileError) -> ArraySlice<UInt8> {
        let available = start + UInt64(bytes.count)
        if offset < start || offset + UInt64(count) > available, offset < start || available < file.size {
            if uses > 3 { length = min(length * 2, Self.largest) }
            if uses < 2 { length = max(length / 2, Self.smallest) }
            bytes = try file.read(upTo: max(length, count), at: offset)
            (start, uses) = (offset, 0)
        }
        uses += 1
        guard offset >= start, offset < start + UInt64(bytes.count) else { return [] }
        return bytes.dropFirst(Int(offset - start)).prefix(count)
    }
}
