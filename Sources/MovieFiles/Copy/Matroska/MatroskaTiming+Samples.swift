/// Which samples of a track are in a Matroska file, where no edit can hide any.
extension MatroskaTiming {
    /// All frames that are presented, from a sync sample on, how long before the first of them those begin that edits hide
    /// and that the others need, in nanoseconds, and how many such there are behind the last one.
    func frames(
        of track: CopiedTrack
    ) throws(MovieFileError) -> (samples: Range<Int>, early: Int64, lateCount: Int) {
        let table = track.table
        let underWay = table.sample(shownAt: UInt64(clamping: media.lowerBound))?.index
        // A camera's last frame may last for no time, or for less than the edit's length is rounded by.
        var earliest = Int64(clamping: table.duration)
        table.forEachTime { _, time in earliest = min(earliest, time) }
        let isWhole = earliest + Int64(clamping: table.duration) <= media.upperBound
        let end = isWhole ? media.upperBound : framesEnd
        func isShown(_ index: Int, _ time: Int64) -> Bool {
            media.lowerBound <= time && time < end || index == underWay
        }
        var shown: Range<Int>?
        table.forEachTime { index, time in
            if isShown(index, time) { shown = (shown?.lowerBound ?? index)..<index + 1 }
        }
        guard let shown else { throw .unsupported(reason: "track \(track.trackID) presents nothing") }
        let samples = table.syncSamples.last(upTo: shown.lowerBound)..<shown.upperBound
        var (begin, lateCount) = (media.lowerBound, 0)
        table.forEachTime { index, time in
            guard samples.contains(index), !isShown(index, time) else { return }
            if time < media.lowerBound { begin = min(begin, time) } else { lateCount += 1 }
        }
        return (samples, nanoseconds(media.lowerBound - begin), lateCount)
    }

    /// PCM audio, to the frame, between which movies that were joined may leave a pause.
    ///
    /// - Parameter size: Of a frame, in bytes.
    func frames(of track: CopiedTrack, size: Int) throws(MovieFileError) -> Range<Int> {
        guard track.table.durations.runs.allSatisfy({ $0.value == 1 || $0.count == 1 }),
            track.table.sizes.constant == UInt32(size)
        else {
            throw .unsupported(reason: "track \(track.trackID) holds PCM audio of uneven frames")
        }
        return try samples(of: track, from: index(of: media.lowerBound, in: track.table))
    }

    /// What encoders put before the audio, in seconds and in packets: Apple's 2112 samples are two and a bit. More than that
    /// was cut off by a person.
    private static let longestPriming = (seconds: 0.1, packets: 3.0)

    /// Compressed audio, with what primes its decoder.
    ///
    /// - Parameters:
    ///   - preroll: What the decoder needs before a place that is not the beginning, in nanoseconds.
    ///   - first: The packet that it begins with, or that the part before it ends in front of.
    ///   - isLast: whether no other part follows.
    func packets(
        of track: CopiedTrack, preroll: UInt64?, from first: Int = 0, isLast: Bool = true
    ) throws(MovieFileError) -> Range<Int> {
        let packet = track.table.durations.runs.first.map { Double($0.value) } ?? 0
        let longest = min(Self.longestPriming.seconds * Double(timescale), Self.longestPriming.packets * packet)
        // What begins only just before the end is hidden by the edit: ffmpeg (5.1) gives a packet less where one is thrown away to
        // nearly its end.
        let least = isLast ? max(1, Int64(timescale) / 1000) : 0
        // A packet that both parts have is there twice.
        let first = min(first, max(0, index(of: media.lowerBound + 1, in: track.table) - 1))
        let begin = Int64(clamping: track.table.presentationTime(of: first).decodeTime)
        guard Double(media.lowerBound - begin) > longest else {
            return try samples(of: track, from: first, least: least)
        }
        let needed = Double(preroll ?? 0) / Double(MatroskaTime.second) * Double(timescale)
        // The one that is under way by then.
        return try samples(
            of: track, from: max(first, index(of: max(0, media.lowerBound - Int64(needed)) + 1, in: track.table) - 1),
            least: least)
    }

    /// - Parameter least: How many ticks of the last sample have to be presented.
    private func samples(
        of track: CopiedTrack, from first: Int, least: Int64 = 0
    ) throws(MovieFileError) -> Range<Int> {
        let (all, shown) = (
            index(of: media.upperBound, in: track.table), index(of: media.upperBound - least, in: track.table)
        )
        let end = max(shown, min(first + 1, all))
        guard first < end else { throw .unsupported(reason: "track \(track.trackID) presents nothing") }
        return first..<end
    }

    /// How many samples are decoded before a moment of the media.
    private func index(of time: Int64, in table: SampleTable) -> Int {
        SampleCursor(table).count(before: UInt64(clamping: time), limit: table.count)
    }
}
