/// Turns a movie in fragments into an ordinary one, so that it plays after each single step.
///
/// 1. The complete index is appended. Players still find the first one and the fragments, and ignore the second.
/// 2. It is synced.
/// 3. One write of 16 bytes makes the first index the beginning of an `mdat` that reaches to the second.
struct IndexAppender {
    let file: any RandomAccessFile
    /// Where the first `moov` begins.
    let moovOffset: UInt64
    /// Where the data ends and the index goes.
    let dataEnd: UInt64

    /// The first two steps.
    func append(_ index: [UInt8]) throws(MovieFileError) {
        do {
            try file.write(index, at: dataEnd)
            try file.synchronize()
        } catch {
            // Half an index does no harm to the fragments, but its space is better used.
            try? file.truncate(to: dataEnd)
            throw error
        }
    }

    /// The last one. From here on the file must not become shorter, even where this fails: the step may have been taken.
    func makeItCount() throws(MovieFileError) {
        var header = ByteWriter()
        header.append(UInt32(1))
        header.append(FourCC("mdat"))
        header.append(dataEnd - moovOffset)
        try file.write(header.bytes, at: moovOffset)
        try file.synchronize()
    }
}
