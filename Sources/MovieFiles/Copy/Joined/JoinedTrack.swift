/// A track of several movies, their samples behind each other.
///
/// Edits keep what each movie hides: what primes a decoder of audio at every seam, and what audio has more than frames, so that both
/// begin together again with each movie.
struct JoinedTrack {
    private let trak: Box
    private var table: SampleTable
    private var entries: [SampleEntry]
    private var edits: [(mediaTime: UInt64?, length: UInt64)]
    /// Where the edits end, in ticks.
    private var position: UInt64
    /// Media time at which no sample is presented any more.
    private var presentationEnd: UInt64

    let handler: FourCC
    let timescale: UInt32
    /// Whether it becomes a track of Matroska: that has no edits, so audio may pause between two, and one description.
    private let isForMatroska: Bool
    /// How much of the last movie is not presented, as it lies behind the movie's end; in seconds.
    private(set) var cutDuration = 0.0
    /// How long audio pauses before the last movie, in seconds.
    private(set) var pause = 0.0
    /// Whether a later movie's frames have a description of their own.
    private(set) var hasOtherDescriptions = false

    /// - Parameter duration: of its movie, in seconds; nil for all of it.
    init(_ track: JoinedPart.Track, lasting duration: Double?, isForMatroska: Bool) throws(MovieFileError) {
        (trak, table, entries) = (track.trak, track.table, track.entries.map(\.ofAnyLength))
        (handler, timescale) = (track.source.handler, track.timescale)
        self.isForMatroska = isForMatroska
        (edits, position, presentationEnd) = ([], 0, table.presentationTimes.upperBound)
        add(track.edits, until: duration.map(ticks))
    }

    private func ticks(_ seconds: Double) -> UInt64 { UInt64((seconds * Double(timescale)).rounded()) }

    /// - Parameters:
    ///   - base: where its file begins in the row of all.
    ///   - start: when its movie begins, in seconds.
    ///   - duration: of its movie, in seconds; nil for all of it.
    mutating func append(
        _ track: JoinedPart.Track, at base: UInt64, from start: Double, lasting duration: Double?
    ) throws(MovieFileError) {
        guard track.timescale == timescale else {
            throw .unsupported(
                reason: "its \(name) counts \(track.timescale) ticks a second, and the first movie's \(timescale)")
        }
        let (own, theirs) = (try matrix(trak), try matrix(track.trak))
        guard handler != "vide" || own == theirs else {
            throw .unsupported(reason: "it is rotated or mirrored differently from the first movie")
        }
        guard handler != "vide" || entries.first?.pixelAspect == track.entries.first?.pixelAspect else {
            throw .unsupported(reason: "its pixels have another aspect ratio than the first movie's")
        }
        var descriptions: [UInt32] = []
        for entry in track.entries { descriptions.append(try place(of: entry)) }
        let missing = missing(until: ticks(start), before: track.edits)
        pause = Double(missing) / Double(timescale)
        if missing > 0 { _ = table.stretch(to: table.duration + missing) }
        let begin = try append(track.table, at: base, descriptions: descriptions)
        var more = track.edits.map { (mediaTime: $0.mediaTime.map { $0 + begin }, length: $0.length) }
        try close(ticks(start), before: &more)
        add(more, until: duration.map { ticks(start + $0) })
    }

    /// Adds samples, and lets none be presented among those before, of which reordered ones are presented later than they are decoded.
    ///
    /// - Returns: what is added to their media times.
    private mutating func append(
        _ samples: SampleTable, at base: UInt64, descriptions: [UInt32]
    ) throws(MovieFileError) -> UInt64 {
        let (begin, times) = (table.duration, samples.presentationTimes)
        guard begin + samples.duration < CopiedTrack.maximumDuration else {
            throw .unsupported(reason: "all movies together last longer than any movie can")
        }
        let delay = presentationEnd - min(presentationEnd, begin + times.lowerBound)
        // Decoded later as well, else frames would be decoded earlier and earlier before they are shown.
        let isDecodedLater = table.stretch(to: begin + delay)
        try table.append(samples, at: base, descriptions: descriptions, delayedBy: isDecodedLater ? 0 : delay)
        presentationEnd = max(presentationEnd, begin + delay + times.upperBound)
        return begin + delay
    }

    private func matrix(_ trak: Box) throws(MovieFileError) -> [UInt8] {
        try TrackHeader(try trak.required("tkhd")).matrix.bytes.map(\.self)
    }

    private var name: String { handler == "vide" ? "video" : "audio" }

    /// How much longer audio has to last so that the next movie's begins with its frames, where it has ended before its own by more than
    /// what primes the next one's decoder: no pause between two edits, which hardly any player knows.
    private func missing(until begin: UInt64, before more: [(mediaTime: UInt64?, length: UInt64)]) -> UInt64 {
        guard handler == "soun", !isForMatroska, begin > position, let edit = edits.last, let start = edit.mediaTime,
            let next = more.first(where: { $0.mediaTime != nil })?.mediaTime
        else { return 0 }
        let gap = more.prefix { $0.mediaTime == nil }.reduce(begin - position) { $0 + $1.length }
        let (wanted, there) = (start + edit.length + gap, table.duration + next)
        return wanted - min(wanted, there)
    }

    /// Lets the edits of the next movie begin earlier, with what primes its decoder, where this track has ended before its movie.
    ///
    /// - Throws: `unsupported` where that is not enough.
    private mutating func close(
        _ begin: UInt64, before more: inout [(mediaTime: UInt64?, length: UInt64)]
    ) throws(MovieFileError) {
        guard begin > position else { return }
        var gap = begin - position
        guard let last = edits.last?.mediaTime.map({ $0 + (edits.last?.length ?? 0) }) else {
            if !more.isEmpty { add([(nil, gap)], until: begin) }
            return
        }
        if more.isEmpty { return }
        while let next = more.first, next.mediaTime == nil {
            gap += next.length
            more.removeFirst()
        }
        guard let next = more.first?.mediaTime, next >= last, next - last >= gap else {
            if isForMatroska, handler == "soun" {
                pause = Double(gap) / Double(timescale)
                return add([(nil, gap)], until: position + gap)
            }
            throw .unsupported(reason: "the \(name) before it ends earlier than its movie, by more than a packet")
        }
        more[0] = (next - gap, more[0].length + gap)
    }

    private mutating func add(_ more: [(mediaTime: UInt64?, length: UInt64)], until end: UInt64?) {
        var cut: UInt64 = 0
        defer { cutDuration = Double(cut) / Double(timescale) }
        for edit in more {
            let length = min(edit.length, end.map { $0 - min($0, position) } ?? .max)
            if edit.mediaTime != nil { cut += edit.length - length }
            guard length > 0 else { continue }
            if let last = edits.last, let own = last.mediaTime, own + last.length == edit.mediaTime {
                edits[edits.count - 1].length += length
            } else {
                edits.append((edit.mediaTime, length))
            }
            position += length
        }
    }

    // MARK: How samples are coded

    /// Which of the descriptions is the one, from 1; a new one where it differs in nothing but what each frame may tell.
    private mutating func place(of entry: SampleEntry) throws(MovieFileError) -> UInt32 {
        let key = try entry.joinKey(handler: handler, timescale: timescale)
        for (index, own) in entries.enumerated() where try own.joinKey(handler: handler, timescale: timescale) == key {
            return UInt32(index + 1)
        }
        guard let first = entries.first else { throw .noSamples }
        let (own, theirs) = (try words(first), try words(entry))
        guard own == theirs, handler == "vide" else {
            let difference =
                own == theirs
                ? "its audio is coded with other settings than the first movie's"
                : "its \(name) is \(theirs), and the first movie's \(own)"
            throw .unsupported(reason: difference)
        }
        guard !isForMatroska else {
            throw .unsupported(
                reason:
                    "its frames are encoded with other settings than the first movie's, and Matroska has one description of them"
            )
        }
        hasOtherDescriptions = true
        entries.append(entry)
        return UInt32(entries.count)
    }

    private func words(_ entry: SampleEntry) throws(MovieFileError) -> String {
        if handler == "soun" {
            let format = try AudioFormat(entry, timescale: timescale)
            return "\(format.codec) with \(format.channels) channels at \(format.sampleRate) Hz"
        }
        let size = entry.fields.dropFirst(24).prefix(4)
        let width = UInt16(bigEndianBytes: size.prefix(2)) ?? 0
        let height = UInt16(bigEndianBytes: size.suffix(2)) ?? 0
        return "'\(entry.format)' of \(width)×\(height)"
    }

    // MARK: The index

    func trak(movieTimescale: UInt32) throws(MovieFileError) -> (trak: Box, duration: UInt64) {
        var list = try EditList(exact: edits, timescale: timescale, movieTimescale: movieTimescale)
        while let last = list.edits.last, last.mediaTime == nil { list.edits.removeLast() }
        let shown = list.duration
        var made = try trak.replacingSamples(with: table, edits: list, lasting: shown)
        let entries = entries
        try made.edit(["mdia", "minf", "stbl", "stsd"]) { (stsd: inout Box) throws(MovieFileError) in
            stsd.payload = try SampleEntry.descriptionBox(entries).payload
        }
        return (made, shown)
    }
}
