/// How long each packet of audio lasts: as many samples as it holds, but where the file's times tell of a gap.
struct AudioTimes: Sendable {
    /// In samples, in the file's order.
    let durations: RunLengthArray<UInt32>
    /// The sum of all durations.
    let total: UInt64
    /// When the first packet's block is said to be, in nanoseconds of the segment.
    let start: Int64

    /// - Parameters:
    ///   - times: Of the packets, in nanoseconds; nil for those that share a block with one before.
    ///   - lengths: How many samples each holds.
    ///   - resolution: What times are multiples of, in nanoseconds.
    /// - Throws: `unsupported` where a gap is longer than a sample can last, or a packet lies behind the next one.
    init(
        _ times: some Sequence<Int64?>, lengths: RunLengthArray<UInt32>, sampleRate: UInt32, resolution: UInt64
    ) throws(MovieFileError) {
        let rate = Double(sampleRate)
        // Two times, both rounded.
        let tolerance = 2 * Double(resolution)
        var durations = RunLengthArray<UInt32>()
        var start: Int64?
        /// What times are counted from: a packet's time, and which sample of the track it begins with.
        var origin: (time: Int64, sample: UInt64) = (0, 0)
        var position: UInt64 = 0
        var pending: UInt32?
        var run = lengths.runs.makeIterator()
        var current = run.next()
        for time in times {
            if let last = pending {
                var length = last
                if let time, let first = start {
                    let counted = position + UInt64(last)
                    let expected = Double(counted - origin.sample) * 1e9 / rate
                    let error = Double(time - origin.time) - expected
                    if abs(error) > tolerance {
                        // From the track's beginning, so that nothing adds up.
                        let sample = (Double(time - first) * rate / 1e9).rounded()
                        guard let exact = UInt32(exactly: sample - Double(position)) else {
                            throw .unsupported(reason: "its audio has impossible times")
                        }
                        length = exact
                        origin = (time, position + UInt64(exact))
                    }
                }
                durations.append(length)
                position += UInt64(length)
            } else if let time {
                (start, origin) = (time, (time, 0))
            }
            while current?.count == 0 { current = run.next() }
            pending = current?.value ?? 0
            current?.count -= 1
        }
        if let pending {
            durations.append(pending)
            position += UInt64(pending)
        }
        (self.durations, total, self.start) = (durations, position, start ?? 0)
    }

    /// Packets without a gap.
    init(durations: RunLengthArray<UInt32>, start: Int64) {
        (self.durations, self.start) = (durations, start)
        total = durations.runs.reduce(0) { $0 + UInt64($1.count) * UInt64($1.value) }
    }
}
