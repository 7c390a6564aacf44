/// A track of a Matroska file as one of a movie.
struct MovieTrack: Sendable {
    let source: TrackEntry
    /// When the first of it is presented, in nanoseconds of the segment.
    let start: Int64
    /// Whether players choose it by themselves.
    var isEnabled = true
    /// Of the tracks of which one is chosen; 0 for none.
    var alternateGroup: UInt16 = 0
    /// Whether something between its first packet of audio and the last one is not presented.
    var hasSeams: Bool { media.count > 1 }
    private let entry: SampleEntry
    /// Ticks in a second.
    private let timescale: UInt32
    private let table: SampleTable
    /// Which parts of the media are shown, one behind the other, in its ticks; audio alone has several.
    private let media: [Range<UInt64>]
    /// See `TrackEntry.Audio`.
    private var rollDistance: Int16 = 0

    /// - Parameter scale: Nanoseconds in a tick of the segment.
    init(_ source: TrackEntry, _ frames: FrameTable, scale: UInt64, _ file: ReadableFile) throws(MovieFileError) {
        self.source = source
        let headSize = min(Int(frames.sizes.first ?? 0), Self.headSize)
        let head = ArraySlice(try file.read(upTo: headSize, at: frames.offsets.first ?? 0))
        if source.kind == .audio {
            let audio = try source.audio(head, size: Int(frames.sizes.first ?? 0))
            let rate = Double(audio.sampleRate)
            let delay = UInt64((Double(source.codecDelay) * rate / 1e9).rounded())
            let priming = delay > 0 ? delay : audio.priming
            let presented = PresentedAudio(frames, priming: priming, sampleRate: audio.sampleRate)
            let times = try presented.times(frames, sampleRate: audio.sampleRate, scale: scale)
            let begin = min(priming, times.total)
            media =
                presented.hasSeams
                ? presented.parts : [begin..<max(begin, times.total - min(times.total, presented.tail))]
            // Blocks are late by the delay already, and by nothing else.
            start = times.start + (delay > 0 ? 0 : Int64((Double(priming) * 1e9 / rate).rounded()))
            (entry, timescale, rollDistance) = (audio.entry, audio.sampleRate, audio.rollDistance)
            table = frames.sampleTable(times.durations)
            return
        }
        let times = try FrameTimes(
            try frames.frameTimes(told: source.defaultDuration, scale: scale), scale: scale,
            told: source.defaultDuration, last: frames.lastDuration(scale: scale))
        entry = try source.frames(head, rate: times.rate)
        timescale = times.timescale
        table = frames.sampleTable(times)
        media = [times.delay..<times.delay + times.shown]
        start = times.start
    }

    /// As much of a first frame as tells how it is coded.
    private static let headSize = 4096

    /// - Parameter origin: When the movie begins, in nanoseconds of the segment.
    func trak(id: UInt32, origin: Int64) throws(MovieFileError) -> (trak: Box, duration: UInt64) {
        let movieTimescale = MatroskaMovie.timescale
        let ahead = UInt64((Double(start - origin) * Double(movieTimescale) / 1e9).rounded())
        var edits: [EditList.Edit] = []
        // From the sums, so that no rounding adds up.
        var (position, shown): (UInt64, UInt64) = (0, 0)
        for part in media {
            position += UInt64(part.count)
            let end = try position.rescaled(from: timescale, to: movieTimescale)
            edits.append(.init(duration: end - shown, mediaTime: part.lowerBound))
            shown = end
        }
        if ahead > 0 { edits.insert(.init(duration: ahead, mediaTime: nil), at: 0) }
        let duration = ahead + shown
        let header = TrackHeaders(source)
        var tkhd = try header.tkhd(id, isEnabled: isEnabled, alternateGroup: alternateGroup)
        try tkhd.setDuration(duration)
        var mdhd = try header.mdhd(timescale: timescale)
        try mdhd.setDuration(table.duration)
        var stbl = Box("stbl", children: [try SampleEntry.descriptionBox([entry])] + (try table.boxes()))
        stbl.children?.append(contentsOf: try rollGroups())
        let isVideo = source.kind == .video
        let minf = Box("minf", children: [try Self.media(isVideo: isVideo), try TextDescription.dinf(), stbl])
        var trak = Box(
            "trak",
            children: [
                tkhd, try EditList(edits: edits).box(),
                Box("mdia", children: try header.mediaHeaders(mdhd, handler: isVideo ? "vide" : "soun") + [minf]),
            ])
        if let userData = try header.userData() { trak.children?.append(userData) }
        return (trak, duration)
    }

    private static func media(isVideo: Bool) throws(MovieFileError) -> Box {
        try Box(full: isVideo ? "vmhd" : "smhd", flags: isVideo ? 1 : 0) { (writer: inout ByteWriter) in
            writer.append(contentsOf: repeatElement(0, count: isVideo ? 8 : 4))
        }
    }

    /// How many packets before its own a decoder needs (ISO/IEC 14496-12 section 10.1).
    private func rollGroups() throws(MovieFileError) -> [Box] {
        guard rollDistance != 0 else { return [] }
        let description = try Box(full: "sgpd", version: 1) { (writer: inout ByteWriter) in
            writer.append(FourCC("roll"))
            writer.append(UInt32(2))
            writer.append(UInt32(1))
            writer.append(rollDistance)
        }
        let samples = try Box(full: "sbgp") { (writer: inout ByteWriter) in
            writer.append(FourCC("roll"))
            writer.append(UInt32(1))
            writer.append(UInt32(clamping: table.count))
            writer.append(UInt32(1))
        }
        return [description, samples]
    }
}
