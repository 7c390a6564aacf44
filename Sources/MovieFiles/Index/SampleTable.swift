/// The samples of one track as they are gathered: what becomes `stts`, `ctts`, `stss`, `stsz`, `stsc` and `co64`.
///
/// Kept small enough for recordings of many hours: a compressed sample costs four bytes, an audio frame of PCM nothing.
struct SampleTable: Sendable {
    /// Samples that lie in the file one behind the other.
    struct Chunk: Sendable, Equatable {
        /// Of the first sample, from the beginning of the file.
        var offset: UInt64
        var sampleCount: Int
        /// Which of the track's sample descriptions holds, from 1.
        var description: UInt32 = 1
    }

    private(set) var durations = RunLengthArray<UInt32>()
    private(set) var compositionOffsets = RunLengthArray<Int32>()
    private(set) var sizes = SampleSizes()
    private(set) var syncSamples = SyncSamples()
    var chunks: [Chunk] = []
    /// The sum of all durations, in the track's timescale.
    private(set) var duration: UInt64 = 0

    var count: Int { sizes.count }

    /// Adds samples, of which each one lies behind the one before, as a chunk at `offset`.
    mutating func append(_ samples: [FragmentSample], at offset: UInt64, description: UInt32 = 1) {
        guard !samples.isEmpty else { return }
        var added = 0
        for sample in samples {
            durations.append(sample.duration, count: sample.count)
            compositionOffsets.append(sample.compositionOffset, count: sample.count)
            syncSamples.append(isSync: sample.isSync, count: sample.count)
            sizes.append(sample.size, count: sample.count)
            duration += UInt64(sample.duration) * UInt64(sample.count)
            added += sample.count
        }
        chunks.append(Chunk(offset: offset, sampleCount: added, description: description))
    }

    /// Makes the last sample longer or shorter, so that the track lasts `duration`; false where that is impossible.
    mutating func stretch(to newDuration: UInt64) -> Bool {
        guard newDuration != duration else { return true }
        guard let last = durations.last else { return false }
        let before = duration - UInt64(last)
        guard newDuration > before, let stretched = UInt32(exactly: newDuration - before) else { return false }
        durations.removeLast(1)
        durations.append(stretched)
        duration = newDuration
        return true
    }

    /// Forgets the samples at the end that do not lie wholly before `end` in the file, and says how many they were.
    mutating func removeSamples(beyond end: UInt64) -> Int {
        var removed = 0
        while let chunk = chunks.last {
            let whole = sizes.wholeSamples(inLast: chunk.sampleCount, from: chunk.offset, before: end)
            guard whole < chunk.sampleCount else { break }
            removeLastSamples(chunk.sampleCount - whole)
            removed += chunk.sampleCount - whole
        }
        return removed
    }

    /// Forgets the samples that begin there or later, but for the first, and ends the one before there.
    mutating func end(at newDuration: UInt64) {
        while count > 1, let last = durations.last, duration - UInt64(last) >= newDuration { removeLastSamples(1) }
        if duration > newDuration { _ = stretch(to: newDuration) }
    }

    private mutating func removeLastSamples(_ number: Int) {
        var left = number
        while left > 0, let run = durations.runs.last {
            let taken = min(left, run.count)
            duration -= UInt64(run.value) * UInt64(taken)
            durations.removeLast(taken)
            left -= taken
        }
        compositionOffsets.removeLast(number)
        sizes.removeLast(number)
        syncSamples.removeLast(number)
        let last = chunks.removeLast()
        if last.sampleCount > number {
            let left = last.sampleCount - number
            chunks.append(Chunk(offset: last.offset, sampleCount: left, description: last.description))
        }
    }

    /// Lets a sample, counted from 0, be presented later, or sooner where `ticks` is negative.
    mutating func delay(sample index: Int, by ticks: Int64) {
        guard let offset = Int32(exactly: Int64(compositionOffsets[index]) + ticks) else { return }
        compositionOffsets[index] = offset
    }

    /// Lets the first sample last as much shorter; false where it lasts no longer than that.
    mutating func shortenFirst(by ticks: UInt64) -> Bool {
        guard count > 0, UInt64(durations[0]) > ticks else { return false }
        durations[0] -= UInt32(ticks)
        duration -= ticks
        return true
    }

    /// The same with other samples in the place of its first ones, which last as long as those.
    func replacingFirst(_ samples: [FragmentSample]) -> SampleTable {
        var table = SampleTable()
        table.append(samples, at: 0)
        let rest = samples.count..<count
        for run in compositionOffsets[rest].runs { table.compositionOffsets.append(run.value, count: run.count) }
        for run in durations[rest].runs { table.durations.append(run.value, count: run.count) }
        let sizes = sizes[rest]
        if let constant = sizes.constant { table.sizes.append(constant, count: rest.count) }
        for size in sizes.each { table.sizes.append(size) }
        table.syncSamples.append(syncSamples[rest])
        table.duration = duration
        return table
    }

    /// Adds the samples of another track, whose file lies `base` bytes further on.
    ///
    /// - Parameters:
    ///   - descriptions: Which of this track's descriptions each of the other's is, from 1.
    ///   - delay: How much later than there its samples are presented, in ticks.
    /// - Throws: `unsupported` where an offset has no space in 32 bits.
    mutating func append(
        _ other: SampleTable, at base: UInt64, descriptions: [UInt32], delayedBy delay: UInt64
    ) throws(MovieFileError) {
        for run in other.compositionOffsets.runs {
            guard let offset = Int32(exactly: Int64(run.value) + Int64(clamping: delay)) else {
                throw .unsupported(reason: "its frames are presented too long after they are decoded")
            }
            compositionOffsets.append(offset, count: run.count)
        }
        for run in other.durations.runs { durations.append(run.value, count: run.count) }
        if let constant = other.sizes.constant { sizes.append(constant, count: other.sizes.count) }
        for size in other.sizes.each { sizes.append(size) }
        syncSamples.append(other.syncSamples)
        duration += other.duration
        for chunk in other.chunks {
            let index = Int(chunk.description) - 1
            let description = descriptions.indices.contains(index) ? descriptions[index] : chunk.description
            chunks.append(
                Chunk(offset: chunk.offset + base, sampleCount: chunk.sampleCount, description: description))
        }
    }

    /// The same in ticks of which so many are one of these; nil where a time has no space then.
    func multiplied(by factor: UInt32) -> SampleTable? {
        guard let signed = Int32(exactly: factor) else { return nil }
        var table = self
        table.durations = RunLengthArray()
        table.compositionOffsets = RunLengthArray()
        for run in durations.runs {
            let (value, isTooLarge) = run.value.multipliedReportingOverflow(by: factor)
            if isTooLarge { return nil }
            table.durations.append(value, count: run.count)
        }
        for run in compositionOffsets.runs {
            let (value, isTooLarge) = run.value.multipliedReportingOverflow(by: signed)
            if isTooLarge { return nil }
            table.compositionOffsets.append(value, count: run.count)
        }
        let (sum, isTooLong) = duration.multipliedReportingOverflow(by: UInt64(factor))
        table.duration = sum
        return isTooLong ? nil : table
    }

    /// These samples alone, as a track that begins with them; without chunks, which are the caller's to tell.
    func samples(_ range: Range<Int>) -> SampleTable {
        var part = SampleTable()
        part.durations = durations[range]
        part.compositionOffsets = compositionOffsets[range]
        part.sizes = sizes[range]
        part.syncSamples = syncSamples[range]
        part.duration = part.durations.runs.reduce(0) { $0 + UInt64($1.value) * UInt64($1.count) }
        return part
    }
}

/// A sample as a fragment lists it, or `count` equal ones in a row.
struct FragmentSample: Sendable, Equatable {
    /// In the track's timescale.
    var duration: UInt32
    /// In bytes.
    var size: UInt32
    /// Whether decoding can start here.
    var isSync: Bool
    /// Presentation minus decoding time, in the track's timescale.
    var compositionOffset: Int32
    var count = 1
}
