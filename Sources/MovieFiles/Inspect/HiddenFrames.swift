/// Whether what an edit list shows is what a copy without edits would show.
extension SampleTable {
    /// Whether edits hide samples among those that they show: before the first one that is shown, which needs them, or between two edits.
    ///
    /// - Parameters:
    ///   - edits: of the track, in order.
    ///   - timescale: of the track.
    func areHidden(
        by edits: [EditList.Edit], timescale: UInt32, movieTimescale: UInt32
    ) throws(MovieFileError) -> Bool {
        let edits = edits.filter { $0.mediaTime != nil }
        // Each is looked up among all samples.
        guard edits.count <= Self.mostEdits else { return true }
        // A millisecond may be another clock's rounding.
        let tolerance = UInt64(timescale / 1000)
        for (index, edit) in edits.enumerated() {
            guard let start = edit.mediaTime, start < UInt64(Int64.max) / 2 else { return true }
            let isLast = index == edits.count - 1
            let length = try edit.duration.rescaled(from: movieTimescale, to: timescale)
            // One without a length goes on to the end, as does what the last one hides there.
            let end = isLast || edit.duration == 0 ? UInt64(Int64.max) / 2 : start &+ length
            if hides(start..<max(start + 1, end), tolerance) { return true }
        }
        return false
    }

    private static let mostEdits = 100

    /// Whether showing a part of the media takes samples that lie outside of it.
    private func hides(_ media: Range<UInt64>, _ tolerance: UInt64) -> Bool {
        // Nothing is shown before the first sample is.
        let first = sample(shownAt: media.lowerBound + tolerance)?.index ?? 0
        guard syncSamples.last(upTo: first) == first else { return true }
        let end = media.upperBound - min(tolerance, media.upperBound - media.lowerBound - 1)
        guard let shown = samples(shownIn: media.lowerBound..<end) else { return false }
        let (begin, stop) = (Int64(clamping: media.lowerBound), Int64(clamping: end))
        var hidden = false
        forEachTime { index, time in
            guard index > first, index < shown.upperBound else { return }
            if time < begin - Int64(tolerance) || time >= stop { hidden = true }
        }
        return hidden
    }
}

extension SyncSamples {
    /// Whether the first sample is one.
    var beginWithFirst: Bool { areAll || list?.first == 1 }

    /// The same of an ordinary movie's sample table.
    static func beginWithFirst(_ stbl: Box) throws(MovieFileError) -> Bool {
        guard let stss = stbl["stss"] else { return true }
        var reader = ByteReader(stss)
        try reader.skip(4)
        let count: UInt32 = try reader.read()
        // Where none is listed the writer did not know.
        guard count > 0 else { return false }
        return try reader.read(UInt32.self) == 1
    }
}
