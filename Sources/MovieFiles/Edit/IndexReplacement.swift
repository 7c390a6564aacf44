/// Replaces the index of a finished movie by another one, so that it plays after each single step.
///
/// 1. The new index is appended. The old one comes first and counts.
/// 2. One write makes the old one free space. The appended one counts.
/// 3. If it fits, the new index is written into that free space, and one write makes it count.
/// 4. The appended one is cut off.
///
/// So an index at the front stays there, and one at the end leaves no hole.
struct IndexReplacement<File: RandomAccessFile> {
    let file: File
    let layout: MovieLayout
    /// Of the file, in bytes.
    let size: UInt64

    /// - Parameter samples: An `mdat` box of samples that only the new index lists; it goes to the end of the file.
    func replace(with index: [UInt8], samples: [UInt8] = []) throws(MovieFileError) {
        let place = layout.moov.offset
        let end = place + UInt64(index.count)
        // Behind an index at the end there is all the room of the disk.
        let isLast = layout.roomEnd == size && samples.isEmpty
        let copy = isLast ? max(size, end) + 16 : size + UInt64(samples.count)
        let roomEnd = isLast ? copy : layout.roomEnd
        try append(samples + (isLast ? freeHeader(copy - size) : []), index, at: copy)

        let fits = end == roomEnd || end + 8 <= roomEnd
        guard fits, roomEnd - place <= UInt64(UInt32.max) else {
            try file.write(FourCC("free").bytes, at: place + 4)
            return try file.synchronize()
        }
        try file.write(freeHeader(roomEnd - place), at: place)
        try file.synchronize()
        if end < roomEnd { try file.write(freeHeader(roomEnd - end), at: end) }
        try file.write(Array(index.dropFirst(8)), at: place + 8)
        try file.synchronize()
        try file.write(Array(index.prefix(8)), at: place)
        try file.synchronize()
        // An index at the end is the end; one at the front has samples behind it, and the copy was the last box.
        try file.truncate(to: isLast ? end : copy)
        try file.synchronize()
    }

    /// Appends `first` to the file, and the index at `copy`.
    private func append(_ first: [UInt8], _ index: [UInt8], at copy: UInt64) throws(MovieFileError) {
        do {
            try file.write(first, at: size)
            try file.write(index, at: copy)
            try file.synchronize()
        } catch {
            try? file.truncate(to: size)
            throw error
        }
    }

    private func freeHeader(_ size: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(UInt32(truncatingIfNeeded: size))
        writer.append(FourCC("free"))
        return writer.bytes
    }
}

extension FourCC {
    /// The four bytes as a file holds them.
    var bytes: [UInt8] {
        withUnsafeBytes(of: rawValue.bigEndian) { Array($0) }
    }
}
