import MediaTypes

/// Chapters as a track of text that other tracks refer to (QuickTime File Format, "Chapter Lists").
struct ChapterTrack: Sendable {
    /// The text samples, in an `mdat` box.
    let data: [UInt8]
    private let sizes: [UInt32]
    private let durations: [UInt32]
    private let chapters: [MovieInfo.Chapter]
    /// Until the first chapter begins.
    private let delay: Int64

    /// Milliseconds: nobody sets a chapter more precisely.
    private static let timescale: UInt32 = 1000

    /// - Parameter duration: Of the movie: where the last chapter ends.
    init(_ chapters: [MovieInfo.Chapter], duration: MediaTime) throws(MovieFileError) {
        let sorted = chapters.sorted { $0.start < $1.start }
        self.chapters = sorted
        let samples = sorted.map { Self.sample($0.title) }
        sizes = samples.map { UInt32($0.count) }
        let end = Self.ticks(duration)
        let starts = Self.spread(sorted.map { Self.ticks($0.start) }, before: end)
        delay = starts.first ?? 0
        let ends = starts.dropFirst() + [max(end, starts.last ?? 0)]
        durations = zip(starts, ends).map { UInt32(clamping: max(1, $1 - $0)) }
        var writer = ByteWriter()
        try writer.box("mdat") { (writer: inout ByteWriter) in
            for sample in samples { writer.append(contentsOf: sample) }
        }
        data = writer.bytes
    }

    /// The same with a millisecond for each: of those that were set at one moment, as in a pause, each begins that much later, and what
    /// follows stays where it is. Those at the movie's end begin as much before it, so that the track is no longer than the movie.
    ///
    /// - Parameter end: of the movie, in ticks; 0 where that is not known.
    private static func spread(_ ticks: [Int64], before end: Int64) -> [Int64] {
        var starts: [Int64] = []
        for tick in ticks { starts.append(max(tick, starts.last.map { $0 + 1 } ?? 0)) }
        guard end > 0 else { return starts }
        var latest = end
        for index in starts.indices.reversed() {
            latest -= 1
            guard starts[index] > latest else { break }
            starts[index] = max(0, latest)
        }
        return starts
    }

    private static func ticks(_ time: MediaTime) -> Int64 {
        max(.zero, time.clamped).nanoseconds / (MediaTime.second.nanoseconds / Int64(timescale))
    }

    /// The text with its length, and an `encd` atom that says it is UTF-8.
    private static func sample(_ title: String) -> [UInt8] {
        let text = title.utf8Prefix(1000)
        var writer = ByteWriter()
        writer.append(UInt16(text.count))
        writer.append(contentsOf: text)
        writer.append(UInt32(12))
        writer.append(FourCC("encd"))
        writer.append(UInt32(0x100))
        return writer.bytes
    }

    /// The `chpl` box of user data that players without chapter tracks read: no standard, but old and common.
    func nero() throws(MovieFileError) -> Box { try Self.nero(chapters) }

    static func nero(_ chapters: [MovieInfo.Chapter]) throws(MovieFileError) -> Box {
        try Box(full: "chpl", version: 1) { (writer: inout ByteWriter) in
            let listed = chapters.prefix(255)
            writer.append(UInt32(0))
            writer.append(UInt8(listed.count))
            for chapter in listed {
                let title = chapter.title.utf8Prefix(255)
                writer.append(UInt64(max(.zero, chapter.start.clamped).nanoseconds / 100))
                writer.append(UInt8(title.count))
                writer.append(contentsOf: title)
            }
        }
    }

    /// The track, with its samples in the `data` box at `offset`. It is not enabled: the text is not shown over the frame.
    func track(id: UInt32, movieTimescale: UInt32, dataOffset: UInt64) throws(MovieFileError) -> AddedTrack {
        let total = durations.reduce(0) { $0 + UInt64($1) }
        var table = SampleTable()
        // The last one lasts longer than the edit list shows of it: ffmpeg (5.1) takes the length of the media for where it ends, and
        // warns where that is before its beginning, which an empty edit has moved.
        var stored = durations
        if let last = stored.last { stored[stored.count - 1] = UInt32(clamping: Int64(last) + delay) }
        let samples = zip(sizes, stored).map {
            FragmentSample(duration: $1, size: $0, isSync: true, compositionOffset: 0)
        }
        table.append(samples, at: dataOffset + 8)
        return AddedTrack(
            id: id, handler: "text", isEnabled: false, timescale: Self.timescale,
            delay: try UInt64(delay).rescaled(from: Self.timescale, to: movieTimescale),
            duration: try total.rescaled(from: Self.timescale, to: movieTimescale), table: table,
            description: try TextDescription.stsd(),
            mediaHeader: try AddedTrack.gmhd(TextDescription.mediaHeader()))
    }
}
