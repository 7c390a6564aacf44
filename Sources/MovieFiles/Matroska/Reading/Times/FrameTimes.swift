/// When the frames of a Matroska track are decoded and shown: a sample table's times, made from times of showing only.
struct FrameTimes: Sendable, Equatable {
    /// Ticks in a second.
    let timescale: UInt32
    /// How long each is decoded before the next one, in ticks, in the file's order.
    let durations: [UInt32]
    /// By how much each is shown later than it is decoded.
    let offsets: [Int32]
    /// When the first one is shown, in nanoseconds of the segment.
    let start: Int64
    /// How long after the first one is decoded it is shown: the smallest delay that lets none be shown before it is decoded.
    let delay: UInt64
    /// From when the first one is shown to the end of the last, in ticks.
    let shown: UInt64
    /// The mean rate, in frames a second.
    let rate: Double

    /// - Parameters:
    ///   - times: In the file's order, in the segment's ticks.
    ///   - scale: Nanoseconds in a tick.
    ///   - told: How long the file says that each lasts, in nanoseconds.
    ///   - last: How long the one that is shown last lasts, where its block says so, in nanoseconds.
    /// - Throws: `unsupported` where one would last longer than a sample can.
    init(_ times: [Int64], scale: UInt64, told: UInt64?, last: UInt64?) throws(MovieFileError) {
        let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        let sorted = order.map { times[$0] * Int64(scale) }
        let first = sorted.first ?? 0
        start = first
        var shown: [Int64]
        var length: Int64
        if let rate = FrameRate(sorted, resolution: scale, told: told) {
            timescale = rate.timescale
            shown = rate.places.map { $0 * Int64(rate.duration) }
            length = Int64(rate.duration)
        } else {
            let isWhole = 1_000_000_000 % scale == 0 && scale >= 1000
            let timescale = isWhole ? UInt32(1_000_000_000 / scale) : 1_000_000
            self.timescale = timescale
            func ticks(_ time: Int64) -> Int64 { Int64((Double(time) * Double(timescale) / 1e9).rounded()) }
            shown = sorted.map { ticks($0 - first) }
            let before = shown.count > 1 ? shown[shown.count - 1] - shown[shown.count - 2] : 0
            length = told.map { max(1, ticks(Int64(clamping: $0))) } ?? max(1, before)
        }
        if let last, last < UInt64(MatroskaSegment.maximumTime) {
            let ticks = Int64((Double(last) * Double(timescale) / 1e9).rounded())
            // A rounded duration says nothing about a frame of the constant rate.
            if abs(Double(ticks - length)) * 1e9 / Double(timescale) > Double(scale) { length = max(1, ticks) }
        }
        shown.append((shown.last ?? 0) + length)
        var placed = [Int64](repeating: 0, count: times.count)
        for (place, index) in order.enumerated() { placed[index] = shown[place] }
        var delay: Int64 = 0
        for (place, time) in placed.enumerated() { delay = max(delay, shown[place] - time) }
        var durations: [UInt32] = []
        var offsets: [Int32] = []
        durations.reserveCapacity(times.count)
        offsets.reserveCapacity(times.count)
        for (place, time) in placed.enumerated() {
            guard let duration = UInt32(exactly: shown[place + 1] - shown[place]),
                let offset = Int32(exactly: time - shown[place] + delay)
            else { throw .unsupported(reason: "one of its frames lasts longer than any sample can") }
            durations.append(duration)
            offsets.append(offset)
        }
        (self.durations, self.offsets, self.delay) = (durations, offsets, UInt64(delay))
        self.shown = UInt64(shown.last ?? 0)
        rate = self.shown > 0 ? Double(times.count) * Double(timescale) / Double(self.shown) : 0
    }
}
