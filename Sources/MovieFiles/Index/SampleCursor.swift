/// Goes through the samples of a track in order, any number of them at a time.
struct SampleCursor {
    private let table: SampleTable
    /// The next sample, from 0.
    private(set) var index = 0
    /// When the next sample is decoded, in the track's timescale.
    private(set) var decodeTime: UInt64 = 0
    private var run = 0
    /// How many samples of the run are behind.
    private var taken = 0

    init(_ table: SampleTable) {
        self.table = table
    }

    /// Goes on by that many samples, of which there must be as many left, and returns their size in bytes.
    @discardableResult
    mutating func advance(_ count: Int) -> UInt64 {
        let size = table.sizes.total(of: index..<index + count)
        index += count
        var left = count
        while left > 0, run < table.durations.runs.count {
            let current = table.durations.runs[run]
            let step = min(left, current.count - taken)
            decodeTime += UInt64(current.value) * UInt64(step)
            left -= step
            taken += step
            if taken == current.count { (run, taken) = (run + 1, 0) }
        }
        return size
    }

    /// How many of the next `limit` samples are decoded before `time`.
    func count(before time: UInt64, limit: Int) -> Int {
        var (run, taken, now, counted) = (run, taken, decodeTime, 0)
        while counted < limit, now < time, run < table.durations.runs.count {
            let current = table.durations.runs[run]
            let left = min(limit - counted, current.count - taken)
            let fitting = current.value > 0 ? (time - now - 1) / UInt64(current.value) + 1 : .max
            let step = Int(clamping: min(UInt64(left), fitting))
            counted += step
            now += UInt64(current.value) * UInt64(step)
            (run, taken) = (run + 1, 0)
            if step < left { break }
        }
        return counted
    }
}
