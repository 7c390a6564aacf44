/// Subtitles of a Matroska file as a track of timed text (3GPP TS 26.245), whose samples look otherwise and are written anew.
struct SubtitleTrack: Sendable {
    /// The samples, in an `mdat` box.
    let data: [UInt8]
    /// How long the track lasts, in milliseconds.
    let duration: UInt64
    /// Whether the texts had looks, which are not kept.
    let losesLooks: Bool
    private let source: TrackEntry
    private let table: SampleTable

    private static let timescale: UInt32 = 1000
    /// The one that players choose one of, apart from that of audio.
    static let alternateGroup: UInt16 = 17
    /// Of a text that nothing says the end of, in milliseconds.
    static let usualDuration: Int64 = 3000
    /// In bytes; a film has a hundred thousand.
    private static let maximumSize: UInt64 = 64 << 20

    /// - Parameters:
    ///   - scale: Nanoseconds in a tick of the segment.
    ///   - origin: When the movie begins, in nanoseconds of the segment.
    ///   - end: When its video and audio end, in milliseconds.
    init(
        _ source: TrackEntry, _ frames: FrameTable, scale: UInt64, origin: Int64, end movieEnd: Int64,
        _ file: ReadableFile
    ) throws(MovieFileError) {
        guard frames.sizes.reduce(0, { $0 + UInt64($1) }) <= Self.maximumSize else {
            throw .unsupported(reason: "track \(source.number) has too much text")
        }
        guard let form = source.textForm else {
            throw .unsupported(reason: "the subtitles of track \(source.number) are not text")
        }
        var (cues, losesLooks): ([SubtitleCue], Bool) = ([], false)
        for index in 0..<frames.count where frames.times[index] != FrameTable.unknown {
            let start = (frames.times[index] * Int64(scale) - origin) / 1_000_000
            let told = frames.duration(of: index).flatMap { ticks -> Int64? in
                let (time, overflow) = ticks.multipliedReportingOverflow(by: scale)
                return overflow ? nil : Int64(clamping: time / 1_000_000)
            }
            let end = start + min(told ?? Self.usualDuration, MatroskaSegment.maximumTime)
            let bytes = try file.read(upTo: Int(frames.sizes[index]), at: frames.offsets[index])
            guard end > 0, end > start else { continue }
            losesLooks = losesLooks || form.losesLooks(of: bytes)
            cues.append(SubtitleCue(times: max(0, start)..<end, text: form.plain(bytes)))
        }
        try self.init(source, cues, losesLooks: losesLooks, end: movieEnd)
    }

    /// - Parameters:
    ///   - cues: With times of the movie, in milliseconds.
    ///   - end: When the movie ends otherwise, in milliseconds.
    init(
        _ source: TrackEntry, _ cues: [SubtitleCue], losesLooks: Bool, end movieEnd: Int64
    ) throws(MovieFileError) {
        (self.source, self.losesLooks) = (source, losesLooks)
        guard let cues = cues.oneAtATime(maximumSize: Int(Self.maximumSize)) else {
            throw .unsupported(reason: "track \(source.number) shows too much text at a time")
        }
        var samples: [FragmentSample] = []
        var texts = ByteWriter()
        var position: Int64 = 0
        func add(_ text: String, until end: Int64) throws(MovieFileError) {
            guard let length = UInt32(exactly: end - position) else {
                throw .unsupported(reason: "a text of track \(source.number) is shown longer than any sample can last")
            }
            let bytes = SubtitleText.sample(text)
            texts.append(contentsOf: bytes)
            samples.append(
                .init(duration: length, size: UInt32(bytes.count), isSync: true, compositionOffset: 0))
            position = end
        }
        for cue in cues {
            // Nothing is shown before it.
            if cue.times.lowerBound > position { try add("", until: cue.times.lowerBound) }
            if cue.times.upperBound > position { try add(cue.text, until: cue.times.upperBound) }
        }
        // Some players show the last sample as long as the movie lasts, and ffmpeg 7 as long as the one before it: that is an empty one. It
        // may last no time (ISO/IEC 14496-12, 8.6.1.2).
        if !cues.isEmpty { try add("", until: max(position, movieEnd)) }
        var table = SampleTable()
        table.append(samples, at: 8)
        var writer = ByteWriter()
        try writer.box("mdat") { (writer: inout ByteWriter) in writer.append(contentsOf: texts.bytes) }
        (data, duration, self.table) = (writer.bytes, UInt64(position), table)
    }

    /// What is said where the texts had looks.
    static func plainness(of track: String) -> String {
        "The subtitles of \(track) are kept as plain text, without their styles and places."
    }

    var isEmpty: Bool { table.count == 0 }
    /// In the Matroska file.
    var number: UInt64 { source.number }
    /// What it is for.
    var roles: TrackRoles { source.roles }

    /// How long it lasts, in ticks of the movie.
    func duration(timescale: UInt32) throws(MovieFileError) -> UInt64 {
        try duration.rescaled(from: Self.timescale, to: timescale)
    }

    /// The track, with its samples in the `data` box at `offset`.
    ///
    /// - Parameter movieTimescale: Ticks in a second of the movie.
    func trak(
        id: UInt32, dataOffset: UInt64, for fileType: MovieFileType, movieTimescale: UInt32
    ) throws(MovieFileError) -> Box {
        var table = table
        for index in table.chunks.indices { table.chunks[index].offset += dataOffset }
        let header = TrackHeaders(source)
        var entry = try SampleEntry.timedText(dataReference: [0, 0, 0, 0, 0, 0, 0, 1])
        if source.isForced {
            // Some texts are shown whether subtitles are wanted or not, and these all (QuickTime File Format, "Subtitle Sample
            // Description").
            let flags = entry.fields.startIndex + 8
            entry.fields.replaceSubrange(flags..<flags + 4, with: [0xC0, 0, 0, 0])
        }
        var tkhd = try header.tkhd(id, isEnabled: source.isDefault, alternateGroup: Self.alternateGroup)
        try tkhd.setDuration(try duration(timescale: movieTimescale))
        var mdhd = try header.mdhd(timescale: Self.timescale)
        try mdhd.setDuration(duration)
        let stbl = Box("stbl", children: [try SampleEntry.descriptionBox([entry])] + (try table.boxes()))
        let minf = Box("minf", children: [try Box(full: "nmhd") { _ in }, try TextDescription.dinf(), stbl])
        let mdia = Box("mdia", children: try header.mediaHeaders(mdhd, handler: "sbtl") + [minf])
        var trak = Box("trak", children: [tkhd, mdia])
        if let userData = try header.userData() { trak.children?.append(userData) }
        if fileType == .mov { try trak.convertTrack(to: .mov, handler: "sbtl", isChapters: false) }
        return trak
    }
}

extension Box {
    /// Adds tracks of subtitles to a `moov`, behind its others.
    ///
    /// - Parameter dataOffset: Where the first one's `data` will lie in the file; those of the others follow it.
    mutating func add(
        _ subtitles: [SubtitleTrack], dataOffset: UInt64, for fileType: MovieFileType
    ) throws(MovieFileError) {
        guard !subtitles.isEmpty else { return }
        let timescale = try TimeHeader(try required("mvhd")).timescale
        var offset = dataOffset
        for track in subtitles {
            let id = try freeTrackID()
            try append(
                track: try track.trak(id: id, dataOffset: offset, for: fileType, movieTimescale: timescale), id)
            offset += UInt64(track.data.count)
        }
    }
}
