extension Box {
    /// Gives every chunk of every track the offset that `move` says; nil where it lies outside of the movie.
    mutating func moveChunks(isWide: Bool, _ move: (UInt64) -> UInt64?) throws(MovieFileError) {
        try editAll("trak") { (trak: inout Box) throws(MovieFileError) in
            try trak.edit(["mdia", "minf", "stbl"]) { (stbl: inout Box) throws(MovieFileError) in
                var offsets: [UInt64] = []
                for offset in try SampleLocations.chunkOffsets(stbl) {
                    guard let moved = move(offset) else {
                        throw .invalidBox("stco", offset: stbl.fileOffset, reason: "a chunk lies outside of any data")
                    }
                    offsets.append(moved)
                }
                let table = try Box(full: isWide ? "co64" : "stco") { (writer: inout ByteWriter) in
                    writer.append(UInt32(truncatingIfNeeded: offsets.count))
                    if isWide {
                        writer.append(table: offsets)
                    } else {
                        writer.append(table: offsets.map { UInt32(truncatingIfNeeded: $0) })
                    }
                }
                stbl.removeChildren { $0.type == "stco" || $0.type == "co64" }
                stbl.children?.append(table)
            }
        }
    }
}
