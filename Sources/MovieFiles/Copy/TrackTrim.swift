/// What is left of a track in a part of the movie: samples from the sync sample on that the first frame needs, and edits
/// that begin exactly where the part does.
struct TrackTrim: Sendable {
    private(set) var samples: Range<Int>
    private(set) var edits: EditList
    /// The decoding time of the first of the samples, in the track's timescale: media times count from there.
    private(set) var firstDecodeTime: UInt64
    /// How long before the part the first of the samples is presented, in seconds.
    private(set) var leadIn: Double
    /// The sample that is under way when the part begins, from 0, and how long it has been by then, in ticks.
    private(set) var underWay: (sample: Int, ticks: UInt64)?
    /// Which part of the media is shown, where that is one and the track is not edited otherwise.
    private(set) var media: Range<UInt64>?
    /// The media time that the track's only edit begins at, and when that is in the movie, in seconds.
    private(set) var origin: (mediaTime: UInt64, time: Double) = (0, 0)
    /// Frames in the place of those that the first ones shown need.
    private(set) var beginning: EncodedBeginning?
    private(set) var boundary: GroupBoundary?

    /// - Parameters:
    ///   - edits: Of the whole track.
    ///   - range: In seconds of the movie.
    /// - Returns: nil where nothing of the track is presented there.
    init?(
        _ track: CopiedTrack, edits all: [EditList.Edit], range: Range<Double>, movieTimescale: UInt32
    ) throws(MovieFileError) {
        var kept: [EditList.Edit] = []
        var needed: Range<Int>?
        var shown: UInt64?
        var begin = 0.0
        let (ticks, mediaTicks) = (Double(movieTimescale), Double(track.timescale))
        for edit in all {
            let end = begin + Double(edit.duration) / ticks
            defer { begin = end }
            let from = max(begin, range.lowerBound)
            let to = min(end, range.upperBound)
            guard to > from else { continue }
            let duration = ((to - range.lowerBound) * ticks).rounded() - ((from - range.lowerBound) * ticks).rounded()
            guard duration >= 1, let duration = UInt64(exactly: duration) else { continue }
            guard let mediaTime = edit.mediaTime else {
                kept.append(.init(duration: duration, mediaTime: nil))
                continue
            }
            guard let skipped = UInt64(exactly: ((from - begin) * mediaTicks).rounded()),
                let length = UInt64(exactly: ((to - from) * mediaTicks).rounded(.up)),
                mediaTime < UInt64(Int64.max) / 2, skipped < UInt64(Int64.max) / 4, length < UInt64(Int64.max) / 4
            else { throw .unsupported(reason: "track \(track.trackID) lasts longer than any movie can") }
            let first = mediaTime + skipped
            guard let samples = track.samples(shownIn: first..<first + max(1, length)) else {
                kept.append(.init(duration: duration, mediaTime: nil))
                continue
            }
            if shown == nil { shown = first }
            needed =
                needed.map {
                    min($0.lowerBound, samples.lowerBound)..<max($0.upperBound, samples.upperBound)
                } ?? samples
            kept.append(.init(duration: duration, mediaTime: first))
            if kept.count == 1, all.count(where: { $0.mediaTime != nil }) == 1 {
                (media, origin) = (first..<first + max(1, length), (mediaTime, begin))
            }
        }
        while let last = kept.last, last.mediaTime == nil { kept.removeLast() }
        guard let samples = needed, let shown else { return nil }
        self.samples = samples
        let start = track.table.presentationTime(of: samples.lowerBound)
        firstDecodeTime = start.decodeTime
        leadIn = max(0, (Double(shown) - Double(start.presentationTime)) / mediaTicks)
        if track.handler != "soun", let current = track.table.sample(shownAt: shown),
            let ticks = UInt64(exactly: Int64(clamping: shown) - current.since), ticks > 0
        {
            underWay = (current.index, ticks)
        }
        for index in kept.indices {
            kept[index].mediaTime = kept[index].mediaTime.map { $0 - min($0, start.decodeTime) }
        }
        self.edits = EditList(edits: kept)
    }

    /// Lets the part begin with encoded frames.
    ///
    /// - Parameter boundary: Where the copied ones begin, in the same track.
    mutating func begin(with encoded: EncodedBeginning, _ boundary: GroupBoundary, of track: CopiedTrack) {
        let first = boundary.firstReplaced
        let decodeTime = track.table.presentationTime(of: first).decodeTime
        for index in edits.edits.indices {
            edits.edits[index].mediaTime = edits.edits[index].mediaTime.map {
                let time = $0 + firstDecodeTime
                return time - min(time, decodeTime)
            }
        }
        (samples, firstDecodeTime, leadIn) = (first..<samples.upperBound, decodeTime, 0)
        if let ticks = underWay?.ticks { underWay = (first, ticks) }
        beginning = encoded
        self.boundary = boundary
    }
}

extension CopiedTrack {
    /// The edits of the track; without a list, all that it has: reordered frames are presented later than their durations end.
    func edits(movieTimescale: UInt32) throws(MovieFileError) -> [EditList.Edit] {
        let whole = try table.duration.rescaled(from: timescale, to: movieTimescale)
        guard let elst = trak.descendant("edts", "elst") else {
            let end = max(table.duration, table.shownTimes.upperBound)
            return [.init(duration: try end.rescaled(from: timescale, to: movieTimescale), mediaTime: 0)]
        }
        guard try EditList.areAtNormalSpeed(elst) else {
            throw .unsupported(reason: "track \(trackID) is played at another speed, which cannot be cut")
        }
        let edits = try EditList(elst).edits
        guard edits.count <= Self.maximumEditCount else {
            throw .unsupported(reason: "track \(trackID) has too many edits")
        }
        // One without a length goes on to the end.
        return edits.map { $0.duration == 0 ? .init(duration: whole, mediaTime: $0.mediaTime) : $0 }
    }

    /// The same for a part of it. Where a movie without a list shows its first frame late, nothing is shown before that: ffmpeg shows a first frame
    /// when its edit begins, however much later its time is.
    func editsOfParts(movieTimescale: UInt32) throws(MovieFileError) -> [EditList.Edit] {
        let (all, begin) = (try edits(movieTimescale: movieTimescale), table.shownTimes.lowerBound)
        guard handler == "vide", begin > 0, trak.descendant("edts", "elst") == nil else { return all }
        let empty = try begin.rescaled(from: timescale, to: movieTimescale)
        return [.init(duration: empty, mediaTime: nil)]
            + all.map { .init(duration: $0.duration - min($0.duration, empty), mediaTime: begin) }
    }

    /// Each is looked up among all samples.
    private static let maximumEditCount = 1000

    /// In seconds: compressed audio decodes to what it was only after some packets. Opus asks for that much (RFC 7845 section
    /// 4.6), and others for less.
    private static let audioPreroll = 0.08

    /// The samples that have to be there to show those of a part of the media; nil where none is.
    func samples(shownIn media: Range<UInt64>) -> Range<Int>? {
        let isPacked = handler == "soun" && table.sizes.constant == nil
        let start =
            media.lowerBound - (isPacked ? min(media.lowerBound, UInt64(Self.audioPreroll * Double(timescale))) : 0)
        guard let shown = table.samples(shownIn: start..<media.upperBound) else { return nil }
        var first = table.syncSamples.last(upTo: shown.lowerBound)
        // Frames that are decoded after a sync sample and shown before it may need what comes before that.
        while first > 0, table.presentationTime(of: first).presentationTime > Int64(clamping: start) {
            first = table.syncSamples.last(upTo: first - 1)
        }
        return first..<shown.upperBound
    }
}
