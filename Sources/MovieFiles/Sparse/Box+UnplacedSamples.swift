/// An index that lists more samples than its chunks hold, as editors leave it that cut one table and not the other: qtdemux (1.22) reports an error
/// behind the last chunk, while other demuxers end the track there.
extension Box {
    /// How many samples of a `trak` have a size and no place in the file. Those that all have one size are not counted.
    ///
    /// - Throws: `invalidBox` where a table is broken.
    var unplacedCount: Int {
        get throws(MovieFileError) {
            guard let table = descendant("mdia", "minf", "stbl"), let sizes = table["stsz"],
                table["stco"] != nil || table["co64"] != nil, let chunkRuns = table["stsc"],
                UInt32(bigEndianBytes: sizes.payload.dropFirst(4).prefix(4)) == 0,
                let listed = UInt32(bigEndianBytes: sizes.payload.dropFirst(8).prefix(4))
            else { return 0 }
            let runs = try SampleLocations.chunkRuns(chunkRuns)
            let chunkCount = try SampleLocations.chunkOffsets(table).count
            var placed = 0
            for (index, run) in runs.enumerated() {
                let next = index + 1 < runs.count ? min(runs[index + 1].firstChunk, chunkCount) : chunkCount
                placed += max(0, next - max(0, run.firstChunk)) * run.sampleCount
                if placed >= Int(listed) { return 0 }
            }
            return Int(listed) - placed
        }
    }

    /// Lets the sizes of a `trak` end with the last sample that lies in a chunk.
    ///
    /// - Throws: `invalidBox` where a table is broken.
    mutating func removeUnplaced() throws(MovieFileError) {
        let count = try unplacedCount
        guard count > 0 else { return }
        try edit(["mdia", "minf", "stbl", "stsz"]) { (box: inout Box) in
            let listed = Int(UInt32(bigEndianBytes: box.payload.dropFirst(8).prefix(4)) ?? 0)
            var writer = ByteWriter()
            writer.append(contentsOf: box.payload.prefix(8))
            writer.append(UInt32(clamping: listed - count))
            writer.append(contentsOf: box.payload.dropFirst(12).prefix((listed - count) * 4))
            box.payload = writer.bytes[...]
        }
    }
}
