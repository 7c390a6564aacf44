import MediaTypes

/// Parts of one movie, as movies that are joined.
extension JoinedPart {
    /// A part of it: the samples that its first ones need and all that are presented in it, and edits that hide the former.
    ///
    /// - Parameters:
    ///   - part: Counted from the movie's first sample.
    ///   - offset: When it begins among those that are joined, in seconds: lengths are rounded so that none adds up.
    /// - Throws: `unsupported` where nothing of the movie is in it.
    func cut(to part: Range<MediaTime>, from offset: Double) throws(MovieFileError) -> JoinedPart {
        var cut = self
        let first = tracks.map(\.pause).min() ?? 0
        let begin = part.lowerBound.seconds + first
        // Without edits, reordered frames are shown for longer than the movie says that it lasts.
        let isToEnd = part.upperBound.seconds + Self.tolerance >= tracks.map(\.decodedDuration).max() ?? 0
        let end = isToEnd ? max(part.upperBound.seconds, wholeDuration - first) : part.upperBound.seconds
        var length = end - part.lowerBound.seconds
        // Frames say how long it is, so that they go on evenly, and audio follows.
        let order = tracks.indices.sorted { tracks[$0].isVideo && !tracks[$1].isVideo }
        for index in order {
            let track = tracks[index]
            cut.tracks[index] = track.cut(
                from: track.ticks(begin), lasting: track.ticks(offset + length) - track.ticks(offset))
            if index == order.first, track.isVideo { length = min(length, cut.tracks[index].duration) }
        }
        guard cut.duration > 0 else {
            throw .unsupported(reason: "it has neither video nor audio in this part; choose one within the movie")
        }
        cut.timeCodeStart += begin
        cut.others = others.filter { !Self.texts.contains($0) }
        (cut.chapters, cut.lateChapters) = ([], [])
        return cut
    }

    /// In seconds: what times of movies are rounded by.
    private static let tolerance = 0.001

    /// Of each video track, by how many ticks the first frame that is shown is decoded before the part begins.
    ///
    /// ffmpeg takes it that all edits of a track have the same: it lets the frames of each begin when the edit does, in the order in which
    /// they are decoded.
    fileprivate var decodingDelays: [Int64] { tracks.filter(\.isVideo).map { $0.decodingDelay ?? 0 } }

    /// The same with frames that are presented later in their media, and edits that begin as much later.
    ///
    /// - Parameter delays: of the video tracks, in their order.
    func delayingFrames(to delays: [Int64]) throws(MovieFileError) -> JoinedPart {
        var part = self
        let videos = tracks.indices.filter { tracks[$0].isVideo }
        for (index, (delay, own)) in zip(videos, zip(delays, decodingDelays)) {
            try part.tracks[index].delayFrames(by: UInt64(clamping: delay - own))
        }
        return part
    }

    /// Whether what is decoded first needs nothing before it and nothing of what follows does, so that frames of another part may precede it.
    func beginsClosed(_ file: ReadableFile) throws(MovieFileError) -> Bool {
        for video in tracks where video.isVideo {
            guard let chunk = video.table.chunks.first, let entry = video.entries.first,
                let record = try ParameterSetRecord(entry)
            else { continue }
            let size = video.table.sizes.total(of: 0..<1)
            guard try record.isClosed(at: chunk.offset, size: size, file) else { return false }
        }
        return true
    }

    /// Those are shown at other times in a part, so they are written anew and not copied.
    private static let texts: Set<FourCC> = ["text", "sbtl", "subt", "subp"]
}

extension [JoinedPart] {
    /// Of each video track the longest time that a part's first frame is decoded before it, in ticks.
    var decodingDelays: [Int64] {
        let all = map(\.decodingDelays)
        return (0..<(all.map(\.count).max() ?? 0)).map { index in
            all.compactMap { $0.indices.contains(index) ? $0[index] : nil }.max() ?? 0
        }
    }
}

extension JoinedPart.Track {
    /// In seconds: without edits, until its last sample has been decoded, as movies tell their lengths.
    fileprivate var decodedDuration: Double {
        guard trak.descendant("edts", "elst") == nil else { return duration }
        return Double(source.table.duration) / Double(timescale)
    }

    /// In seconds: how long after the movie it begins.
    fileprivate var pause: Double {
        Double(edits.prefix { $0.mediaTime == nil }.reduce(0) { $0 + $1.length }) / Double(timescale)
    }

    func ticks(_ seconds: Double) -> UInt64 { UInt64(max(0, seconds * Double(timescale)).rounded()) }

    /// - Parameters:
    ///   - start: In ticks of the movie's presentation.
    ///   - length: In ticks; what the track does not have of it is not there.
    func cut(from start: UInt64, lasting length: UInt64) -> JoinedPart.Track {
        var kept: [(mediaTime: UInt64?, length: UInt64)] = []
        var needed: Range<Int>?
        var position: UInt64 = 0
        for edit in edits {
            let (begin, end) = (max(position, start), min(position + edit.length, start + length))
            let skipped = begin - min(begin, position)
            position += edit.length
            guard end > begin else { continue }
            let media = edit.mediaTime.map { $0 + skipped..<$0 + skipped + end - begin }
            let samples = media.flatMap { source.samples(shownIn: $0) }
            if let samples {
                needed = needed.map {
                    min($0.lowerBound, samples.lowerBound)..<max($0.upperBound, samples.upperBound)
                }
                needed = needed ?? samples
            }
            kept.append((samples == nil ? nil : media?.lowerBound, end - begin))
        }
        while let last = kept.last, last.mediaTime == nil { kept.removeLast() }
        var cut = self
        guard let needed else {
            (cut.table, cut.edits) = (SampleTable(), [])
            return cut
        }
        cut.table = table.part(needed)
        letFirstFrameBegin(in: &cut.table, from: needed.lowerBound, kept.first?.mediaTime)
        let decodeTime = table.presentationTime(of: needed.lowerBound).decodeTime
        cut.edits = kept.map { edit in (edit.mediaTime.map { $0 - min($0, decodeTime) }, edit.length) }
        return cut
    }

    fileprivate var decodingDelay: Int64? {
        guard let edit = edits.first(where: { $0.mediaTime != nil }), let mediaTime = edit.mediaTime else { return nil }
        let shown = Int64(clamping: mediaTime)..<Int64(clamping: mediaTime + edit.length)
        var first: Int?
        table.forEachTime { index, time in if first == nil, shown.contains(time) { first = index } }
        return first.map { shown.lowerBound - Int64(clamping: table.presentationTime(of: $0).decodeTime) }
    }

    fileprivate mutating func delayFrames(by ticks: UInt64) throws(MovieFileError) {
        guard ticks > 0 else { return }
        var delayed = SampleTable()
        try delayed.append(table, at: 0, descriptions: [], delayedBy: ticks)
        table = delayed
        edits = edits.map { ($0.mediaTime.map { $0 + ticks }, $0.length) }
    }

    /// Lets a frame that is under way when the part begins begin with it: ffmpeg drops what begins before an edit.
    private func letFirstFrameBegin(in part: inout SampleTable, from first: Int, _ mediaTime: UInt64?) {
        guard isVideo, let mediaTime, let underWay = table.sample(shownAt: mediaTime) else { return }
        let ticks = Int64(clamping: mediaTime) - underWay.since
        if ticks > 0, underWay.index >= first { part.delay(sample: underWay.index - first, by: ticks) }
    }
}
