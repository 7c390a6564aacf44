import MediaTypes

/// Where the GOPs begin that a part has whole, and which of its frames come before.
///
/// Those can be encoded again. The encoded frames are as many as the samples right before the boundary, whose decoding times
/// they take over in the order in which they are shown: whatever the original's order was, none is decoded after it is
/// shown, as every frame before the boundary is decoded before it.
struct GroupBoundary: Sendable {
    /// The sync sample that the copied frames begin with, from 0.
    let firstCopied: Int
    /// When each frame before it is presented, in the track's timescale, in that order.
    let times: [Int64]
    let beginning: MovieCopy.Beginning

    /// The sample whose place the first encoded frame takes, from 0.
    var firstReplaced: Int { firstCopied - times.count }

    /// - Returns: nil where the part begins with a sync sample, and where its frames cannot be encoded so that they fit: for
    ///   other codecs, edits, and parts that no closed group begins in.
    init?(
        _ track: CopiedTrack, _ trim: TrackTrim, _ entries: [SampleEntry], _ file: ReadableFile
    ) throws(MovieFileError) {
        guard let media = trim.media, entries.count == 1, let record = try ParameterSetRecord(entries[0]),
            let syncs = track.table.syncSamples.list
        else { return nil }
        let start = Int64(clamping: media.lowerBound) - Int64(clamping: trim.underWay?.ticks ?? 0)
        let end = Int64(clamping: media.upperBound)
        let origin = Int64(clamping: trim.origin.mediaTime)
        let candidates = syncs.map { Int($0) - 1 }.filter {
            $0 > trim.samples.lowerBound && $0 < trim.samples.upperBound
        }.prefix(Self.maximumCandidateCount)
        guard start >= origin, !candidates.isEmpty else { return nil }
        var shown: [Int64] = []
        track.table.forEachTime { index, time in
            if trim.samples.contains(index) { shown.append(time) }
        }
        guard shown.count == trim.samples.count, shown.contains(where: { $0 < start }) else { return nil }
        // The earliest time from each sample on.
        var earliest = shown
        for index in shown.indices.dropLast().reversed() { earliest[index] = min(shown[index], earliest[index + 1]) }
        for candidate in candidates {
            let place = candidate - trim.samples.lowerBound
            let time = shown[place]
            guard time > start else { continue }
            guard time < end else { return nil }
            let before = shown[..<place]
            guard earliest[place] == time, before.allSatisfy({ $0 < time }),
                try track.isClosed(candidate, record, file)
            else { continue }
            let times = before.filter { $0 >= start }.sorted()
            guard !times.isEmpty, zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
            firstCopied = candidate
            self.times = times
            let shownAt = { (time: Int64) in
                MediaTime(seconds: trim.origin.time + Double(time - origin) / Double(track.timescale))
            }
            let first = max(origin, Int64(clamping: track.table.presentationTimes.lowerBound))
            beginning = .init(
                frameCount: times.count, timeRange: shownAt(times[0])..<shownAt(time), firstTime: shownAt(first))
            return
        }
        return nil
    }

    /// Where the first groups are open, as those of some encoders all are, a closed one is no longer near the edge.
    private static let maximumCandidateCount = 8

    /// The samples of the part with the encoded ones in their places.
    ///
    /// - Parameter start: When the first of them is decoded.
    func part(
        _ table: SampleTable, _ encoded: EncodedBeginning, from start: UInt64
    ) throws(MovieFileError) -> SampleTable {
        var samples: [FragmentSample] = []
        var decodeTime = Int64(clamping: start)
        for (index, time) in times.enumerated() {
            let duration = table.durations[index]
            guard let offset = Int32(exactly: time - decodeTime) else {
                throw .unsupported(reason: "its frames are shown too long after they are decoded")
            }
            samples.append(
                FragmentSample(
                    duration: duration, size: encoded.sizes[index], isSync: encoded.areSync[index],
                    compositionOffset: offset))
            decodeTime += Int64(duration)
        }
        return table.replacingFirst(samples)
    }
}

extension CopiedTrack {
    /// Whether a sample is a frame that nothing after it reaches behind, by its units.
    fileprivate func isClosed(
        _ index: Int, _ record: ParameterSetRecord, _ file: ReadableFile
    ) throws(MovieFileError) -> Bool {
        guard let place = offset(of: index) else { return false }
        return try record.isClosed(at: place, size: table.sizes.total(of: index..<index + 1), file)
    }

    /// Where a sample lies in the original.
    private func offset(of index: Int) -> UInt64? {
        var first = 0
        for chunk in table.chunks {
            if index < first + chunk.sampleCount { return chunk.offset + table.sizes.total(of: first..<index) }
            first += chunk.sampleCount
        }
        return nil
    }
}

extension ParameterSetRecord {
    /// Whether the sample at a place is a frame that nothing after it reaches behind (IDR), by its units.
    func isClosed(at place: UInt64, size: UInt64, _ file: ReadableFile) throws(MovieFileError) -> Bool {
        var place = place
        let end = place + size
        for _ in 0..<Self.maximumUnitCount where place < end {
            let bytes = try file.read(upTo: lengthSize + 1, at: place)
            guard bytes.count > lengthSize, let first = bytes.last else { return false }
            if case .frame(let isClosed) = codec.kind(first) { return isClosed }
            place += UInt64(lengthSize) + bytes.dropLast().reduce(0) { $0 << 8 | UInt64($1) }
        }
        return false
    }

    /// Before a frame: parameter sets and messages.
    private static let maximumUnitCount = 64
}
