extension SampleTable {
    /// When a sample, counted from 0, is decoded and presented, in the track's timescale.
    func presentationTime(of index: Int) -> (decodeTime: UInt64, presentationTime: Int64) {
        var cursor = SampleCursor(self)
        cursor.advance(index)
        return (cursor.decodeTime, Int64(clamping: cursor.decodeTime) + Int64(compositionOffsets[index]))
    }

    /// The sample, counted from 0, that is still presented at a time, and since when; nil where none is yet.
    func sample(shownAt time: UInt64) -> (index: Int, since: Int64)? {
        let end = Int64(clamping: time)
        var shown: (index: Int, since: Int64)?
        guard compositionOffsets.runs.contains(where: { $0.value != 0 }) else {
            let index = SampleCursor(self).count(before: time + 1, limit: count) - 1
            return index >= 0 ? (index, presentationTime(of: index).presentationTime) : nil
        }
        forEachTime { index, time in
            if time <= end, time >= shown?.since ?? .min { shown = (index, time) }
        }
        return shown
    }

    /// The samples, in decoding order, from the first to the last that is presented in a part of the media: also the one
    /// that is still shown when it begins.
    func samples(shownIn media: Range<UInt64>) -> Range<Int>? {
        guard compositionOffsets.runs.contains(where: { $0.value != 0 }) else {
            let cursor = SampleCursor(self)
            let first = cursor.count(before: media.lowerBound + 1, limit: count) - 1
            let end = cursor.count(before: media.upperBound, limit: count)
            let isOver = media.lowerBound >= duration
            return end > 0 && !isOver ? max(0, first)..<max(end, first + 1) : nil
        }
        let (start, end) = (Int64(clamping: media.lowerBound), Int64(clamping: media.upperBound))
        var shown: Range<Int>?
        forEachTime { index, time in
            guard time > start, time < end else { return }
            shown = min(shown?.lowerBound ?? index, index)..<max(shown?.upperBound ?? 0, index + 1)
        }
        guard let index = sample(shownAt: media.lowerBound)?.index else { return shown }
        return min(index, shown?.lowerBound ?? index)..<max(index + 1, shown?.upperBound ?? 0)
    }

    /// Tells the presentation time of every sample, in decoding order.
    func forEachTime(_ body: (_ index: Int, _ time: Int64) -> Void) {
        var index = 0
        var decodeTime: Int64 = 0
        var durationRuns = durations.runs.makeIterator()
        var duration = durationRuns.next()
        for offsets in compositionOffsets.runs {
            for _ in 0..<offsets.count {
                body(index, decodeTime + Int64(offsets.value))
                guard let run = duration else { return }
                decodeTime += Int64(run.value)
                index += 1
                duration = run.count > 1 ? .init(count: run.count - 1, value: run.value) : durationRuns.next()
            }
        }
    }
}

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

    /// The same where the frame that is shown last is shown at all: one that is decoded at the same time as the next, as where frames share their
    /// times, would last for no time. It lasts as long as the last that is decoded.
    var shownTimes: Range<UInt64> {
        let times = presentationTimes
        guard compositionOffsets.runs.contains(where: { $0.value != 0 }), let last = durations.runs.last?.value else {
            return times
        }
        var latest = Int64.min
        forEachTime { _, time in latest = max(latest, time) }
        let begin = UInt64(clamping: latest)
        return begin < times.upperBound ? times : times.lowerBound..<begin + UInt64(last)
    }

    /// How long the samples would last if each did as those do on average that are neither presented first nor last, in ticks; nil of too few.
    var durationAtMeanRate: UInt64? {
        guard count > 3 else { return nil }
        // No more than 16 frames are decoded between two that are presented one behind the other.
        let depth = 32
        var first = (Int64.max, Int64.max)
        for index in 0..<min(count, depth) {
            let time = presentationTime(of: index).presentationTime
            first = time < first.0 ? (time, first.0) : (first.0, min(first.1, time))
        }
        let last = (max(0, count - depth)..<count).map { presentationTime(of: $0).presentationTime }.max() ?? 0
        guard last > first.1 else { return nil }
        return UInt64((Double(last - first.1) / Double(count - 2) * Double(count)).rounded())
    }
}
