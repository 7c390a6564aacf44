extension SampleTable {
    /// From the first moment that a sample is presented to the last, in the track's timescale.
    ///
    /// Reordered frames are decoded before they are shown, so neither end need be that of the first or last sample.
    var presentationTimes: Range<UInt64> {
        guard !compositionOffsets.runs.isEmpty else { return 0..<0 }
        var start = Int64.max
        var end = Int64.min
        var decodeTime: Int64 = 0
        var durationRuns = durations.runs.makeIterator()
        var current = durationRuns.next()
        for offsets in compositionOffsets.runs {
            var left = offsets.count
            // Where both duration and offset stay the same, times only rise.
            while left > 0, let run = current, run.count > 0 {
                let count = min(left, run.count)
                let length = Int64(count) * Int64(run.value)
                start = min(start, decodeTime + Int64(offsets.value))
                decodeTime += length
                end = max(end, decodeTime + Int64(offsets.value))
                left -= count
                current = run.count == count ? durationRuns.next() : .init(count: run.count - count, value: run.value)
            }
        }
        let first = UInt64(clamping: start)
        return first..<max(first, UInt64(clamping: end))
    }
}
