extension SampleTable {
    /// The boxes that an `stbl` describes its samples with (ISO/IEC 14496-12 sections 8.6 and 8.7).
    ///
    /// - Parameters:
    ///   - isWide: Whether chunks may lie beyond four gigabytes.
    ///   - isQuickTime: Whether it is for a QuickTime file, whose composition offsets are signed without saying so.
    /// - Throws: `unsupported` where there are more samples than 32 bits can count.
    func boxes(isWide: Bool = true, isQuickTime: Bool = false) throws(MovieFileError) -> [Box] {
        guard let count = UInt32(exactly: count) else {
            throw .unsupported(reason: "a track has more samples than an index can count")
        }
        var boxes = [
            try runBox("stts", runs: durations.runs.map { ($0.count, $0.value) })
        ]
        if compositionOffsets.runs.contains(where: { $0.value != 0 }) {
            let isSigned = !isQuickTime && compositionOffsets.runs.contains { $0.value < 0 }
            boxes.append(
                try runBox(
                    "ctts", version: isSigned ? 1 : 0,
                    runs: compositionOffsets.runs.map { ($0.count, UInt32(bitPattern: $0.value)) }))
        }
        if let list = syncSamples.list {
            boxes.append(
                try Box(full: "stss") { (writer: inout ByteWriter) in
                    writer.append(UInt32(truncatingIfNeeded: list.count))
                    writer.append(table: list)
                })
        }
        boxes.append(try sampleToChunkBox())
        boxes.append(
            try Box(full: "stsz") { (writer: inout ByteWriter) in
                // A constant of 0 would announce a table.
                let table = sizes.constant == 0 ? Array(repeating: 0, count: Int(count)) : sizes.each
                writer.append(sizes.constant ?? 0)
                writer.append(count)
                writer.append(table: table)
            })
        boxes.append(
            try Box(full: isWide ? "co64" : "stco") { (writer: inout ByteWriter) in
                writer.append(UInt32(truncatingIfNeeded: chunks.count))
                if isWide {
                    writer.append(table: chunks.map(\.offset))
                } else {
                    writer.append(table: chunks.map { UInt32(truncatingIfNeeded: $0.offset) })
                }
            })
        return boxes
    }

    private func runBox(
        _ type: FourCC, version: UInt8 = 0, runs: [(count: Int, value: UInt32)]
    ) throws(MovieFileError) -> Box {
        try Box(full: type, version: version) { (writer: inout ByteWriter) in
            writer.append(UInt32(truncatingIfNeeded: runs.count))
            writer.append(table: runs.flatMap { [UInt32(truncatingIfNeeded: $0.count), $0.value] })
        }
    }

    /// `stsc`: an entry wherever a chunk has another number of samples, or another description, than the one before.
    private func sampleToChunkBox() throws(MovieFileError) -> Box {
        var entries: [UInt32] = []
        var previous: Chunk?
        for (index, chunk) in chunks.enumerated()
        where chunk.sampleCount != previous?.sampleCount || chunk.description != previous?.description {
            entries += [
                UInt32(truncatingIfNeeded: index + 1), UInt32(truncatingIfNeeded: chunk.sampleCount), chunk.description,
            ]
            previous = chunk
        }
        return try Box(full: "stsc") { (writer: inout ByteWriter) in
            writer.append(UInt32(truncatingIfNeeded: entries.count / 3))
            writer.append(table: entries)
        }
    }
}
