extension SampleTable {
    /// Enough for days of any compressed track, and an end to what a made-up file can ask for.
    static let maximumSampleCount = 50_000_000

    /// How long a sample lasts by its number in `stts`: some encoders write one below 0 for the last, so that all of them last as long as the
    /// track's header says. As ffmpeg does, what lies within ten seconds of the largest number at 48,000 ticks a second is taken for that.
    static func duration(_ number: UInt32) -> UInt32 { number > .max - 480_000 ? 1 : number }

    /// Reads the samples that an `stbl` lists: none in most movies in fragments, the first seconds in some, as those of
    /// Apple's recorders and of GStreamer's `first-moov-then-finalise`.
    ///
    /// - Parameter bytesPerFrame: Of PCM audio: files of old give 1 as the size of a frame, whatever it is.
    /// - Throws: `invalidBox` where a table is broken, `unsupported` where it claims more samples than any movie has.
    init(_ stbl: Box, bytesPerFrame: Int? = nil) throws(MovieFileError) {
        guard stbl["stsz"] != nil || stbl["stz2"] != nil, stbl["stco"] != nil || stbl["co64"] != nil else { return }
        var (constant, count, sizes) = try Self.sizes(stbl)
        guard count > 0 else { return }
        if let bytesPerFrame, constant == 1 { constant = UInt32(clamping: bytesPerFrame) }
        var durations = try Self.runs(stbl.required("stts"))
        for index in durations.indices { durations[index].value = Self.duration(durations[index].value) }
        var offsets = try stbl["ctts"].map { (box) throws(MovieFileError) in try Self.runs(box) } ?? []
        let isReordered = !offsets.isEmpty
        var syncs = try stbl["stss"].map { (box) throws(MovieFileError) in try Self.numbers(box) }?[...]
        let chunkRuns = try SampleLocations.chunkRuns(stbl.required("stsc"))
        var run = 0
        for (chunk, offset) in try SampleLocations.chunkOffsets(stbl).enumerated() {
            while run + 1 < chunkRuns.count, chunkRuns[run + 1].firstChunk <= chunk { run += 1 }
            guard chunkRuns.indices.contains(run), self.count < count else { return }
            var samples: [FragmentSample] = []
            var left = min(chunkRuns[run].sampleCount, count - self.count)
            var index = self.count
            while left > 0 {
                let isSync = syncs.map { $0.first == UInt32(truncatingIfNeeded: index + 1) } ?? true
                if isSync { _ = syncs?.popFirst() }
                // Equal ones go in one: PCM audio has many millions of them.
                let isPlain = constant > 0 && syncs == nil && !isReordered
                let length = isPlain ? min(left, max(1, durations.first?.count ?? left)) : 1
                samples.append(
                    FragmentSample(
                        duration: Self.take(length, from: &durations), size: constant > 0 ? constant : sizes[index],
                        isSync: isSync, compositionOffset: Int32(bitPattern: Self.take(1, from: &offsets)),
                        count: length))
                index += length
                left -= length
            }
            append(samples, at: offset, description: chunkRuns[run].description)
        }
    }

    /// The size of all samples or, where that is 0, of each one: from `stsz`, or `stz2` with its narrower numbers
    /// (ISO/IEC 14496-12 section 8.7.3).
    private static func sizes(
        _ stbl: Box
    ) throws(MovieFileError) -> (constant: UInt32, count: Int, each: [UInt32]) {
        let isCompact = stbl["stsz"] == nil
        var reader = ByteReader(try stbl.required(isCompact ? "stz2" : "stsz"))
        try reader.skip(4)
        let field: UInt32 = try reader.read()
        let count = Int(try reader.read(UInt32.self))
        // Frames of PCM audio cost no memory, however many they are.
        let arePlain = !isCompact && field > 0 && stbl["stss"] == nil && stbl["ctts"] == nil
        guard count <= maximumSampleCount || arePlain else {
            throw .unsupported(reason: "a track claims \(count) samples, more than any movie has")
        }
        guard isCompact else { return (field, count, field > 0 ? [] : try reader.readTable(count)) }
        switch field & 0xFF {
        case 4:
            let bytes = try reader.readTable((count + 1) / 2, of: UInt8.self)
            let halves = bytes.flatMap { byte -> [UInt32] in [UInt32(byte >> 4), UInt32(byte & 15)] }
            return (0, count, Array(halves.prefix(count)))
        case 8: return (0, count, try reader.readTable(count, of: UInt8.self).map(UInt32.init))
        case 16: return (0, count, try reader.readTable(count, of: UInt16.self).map(UInt32.init))
        default: throw reader.error("its numbers have \(field & 0xFF) bits")
        }
    }

    private typealias Runs = ArraySlice<(count: Int, value: UInt32)>

    /// The runs of `stts` or `ctts`.
    private static func runs(_ box: Box) throws(MovieFileError) -> Runs {
        var reader = ByteReader(box)
        try reader.skip(4)
        let table = try reader.readTable(Int(try reader.read(UInt32.self)) * 2, of: UInt32.self)
        return stride(from: 0, to: table.count, by: 2).map { (Int(table[$0]), table[$0 + 1]) }[...]
    }

    private static func numbers(_ stss: Box) throws(MovieFileError) -> [UInt32] {
        var reader = ByteReader(stss)
        try reader.skip(4)
        return try reader.readTable(Int(try reader.read(UInt32.self)))
    }

    /// Takes `length` values, which are equal, off the front; 0 where the runs end too early.
    private static func take(_ length: Int, from runs: inout Runs) -> UInt32 {
        while let first = runs.first, first.count == 0 { runs.removeFirst() }
        guard let first = runs.first else { return 0 }
        runs[runs.startIndex].count -= min(length, first.count)
        return first.value
    }
}
