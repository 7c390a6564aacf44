/// The frames of a track as samples of a movie.
extension FrameTable {
    func sampleTable(_ times: FrameTimes) -> SampleTable {
        var table = SampleTable()
        table.chunks.reserveCapacity(count)
        for index in sizes.indices {
            table.append(
                [
                    FragmentSample(
                        duration: times.durations[index], size: sizes[index], isSync: isKey[index],
                        compositionOffset: times.offsets[index])
                ], at: offsets[index])
        }
        return table
    }

    /// - Parameter durations: Of the packets of audio, all of which can be decoded by themselves.
    func sampleTable(_ durations: RunLengthArray<UInt32>) -> SampleTable {
        var table = SampleTable()
        table.chunks.reserveCapacity(count)
        var index = 0
        for run in durations.runs {
            for _ in 0..<run.count {
                table.append(
                    [FragmentSample(duration: run.value, size: sizes[index], isSync: true, compositionOffset: 0)],
                    at: offsets[index])
                index += 1
            }
        }
        return table
    }

    /// When each frame is shown, in the segment's ticks.
    ///
    /// - Throws: `unsupported` where frames share a block and nothing says how long each lasts.
    func frameTimes(told: UInt64?, scale: UInt64) throws(MovieFileError) -> [Int64] {
        guard times.contains(Self.unknown) else { return times }
        guard let told, told < UInt64(MatroskaSegment.maximumTime) else {
            throw .unsupported(reason: "nothing says when the frames that share a block are shown")
        }
        var (first, place) = (Int64(0), 0.0)
        return times.map { time in
            (first, place) = time == Self.unknown ? (first, place + 1) : (time, 0)
            return first + Int64((place * Double(told) / Double(scale)).rounded())
        }
    }

    /// When the first of them is shown, in nanoseconds of the segment.
    func start(scale: UInt64) -> Int64 { (times.filter { $0 != Self.unknown }.min() ?? 0) * Int64(scale) }

    /// How long the frame lasts that is shown last, in nanoseconds, where its block says so.
    func lastDuration(scale: UInt64) -> UInt64? {
        guard let last = times.indices.max(by: { times[$0] < times[$1] }), let ticks = duration(of: last) else {
            return nil
        }
        let (time, overflow) = ticks.multipliedReportingOverflow(by: scale)
        return overflow ? nil : time
    }
}
