/// Goes through the samples of a track in decoding order, and tells of each where it lies and when it is decoded.
struct SampleWalk: Sequence, IteratorProtocol {
    struct Sample: Equatable {
        /// From 0.
        var index: Int
        /// How many frames of PCM audio; 1 of anything else.
        var count: Int
        /// Where it begins in the file.
        var offset: UInt64
        /// In bytes.
        var size: UInt64
        /// In the track's timescale.
        var decodeTime: UInt64
        /// In the track's timescale, likewise.
        var presentationTime: Int64
        /// In the track's timescale, of all of them.
        var duration: UInt64
        var isSync: Bool
    }

    private let table: SampleTable
    private let longest: Int
    private let syncs: [UInt32]?
    private var cursor: SampleCursor
    private var nextSync = 0
    private var chunk = 0
    private var leftInChunk = 0
    private var offset: UInt64 = 0
    private var offsetRun = 0
    private var takenOfOffsetRun = 0

    /// - Parameter longest: How many frames that lie one behind the other make one sample of PCM audio.
    init(_ table: SampleTable, longest: Int = 1) {
        self.table = table
        self.longest = longest
        syncs = table.syncSamples.list
        cursor = SampleCursor(table)
    }

    /// Leaves out samples that lie before one, counted from 0.
    mutating func skip(to index: Int) {
        while cursor.index < index, advance(upTo: index - cursor.index) != nil {}
    }

    mutating func next() -> Sample? { advance(upTo: longest) }

    private mutating func advance(upTo limit: Int) -> Sample? {
        while leftInChunk == 0 {
            guard chunk < table.chunks.count else { return nil }
            (offset, leftInChunk) = (table.chunks[chunk].offset, table.chunks[chunk].sampleCount)
            chunk += 1
        }
        let index = cursor.index
        // Frames of audio are all alike; anything else is told one by one.
        let count = table.sizes.constant == nil || syncs != nil ? 1 : Swift.min(limit, leftInChunk)
        let start = cursor.decodeTime
        let shift = compositionOffset(count)
        let size = cursor.advance(count)
        let sample = Sample(
            index: index, count: count, offset: offset, size: size, decodeTime: start,
            presentationTime: Int64(clamping: start) + Int64(shift), duration: cursor.decodeTime - start,
            isSync: isSync(index))
        offset += size
        leftInChunk -= count
        return sample
    }

    private mutating func compositionOffset(_ count: Int) -> Int32 {
        let runs = table.compositionOffsets.runs
        guard offsetRun < runs.count else { return 0 }
        let value = runs[offsetRun].value
        takenOfOffsetRun += count
        while offsetRun < runs.count, takenOfOffsetRun >= runs[offsetRun].count {
            takenOfOffsetRun -= runs[offsetRun].count
            offsetRun += 1
        }
        return value
    }

    private mutating func isSync(_ index: Int) -> Bool {
        guard let syncs else { return true }
        while nextSync < syncs.count, Int(syncs[nextSync]) < index + 1 { nextSync += 1 }
        return nextSync < syncs.count && Int(syncs[nextSync]) == index + 1
    }
}
