/// A track of a Matroska file as one of a movie.
struct MovieTrack: Sendable {
    let source: MatroskaTrack
    /// When the first of it is seen or heard, in nanoseconds of the segment.
    let start: Int64
    /// Whether players choose it by themselves.
    var isEnabled = true
    /// Of the tracks of which one is chosen; 0 for none.
    var alternateGroup: UInt16 = 0
    private let entry: SampleEntry
    /// Ticks in a second.
    private let timescale: UInt32
    private let table: SampleTable
    /// Which part of the media is shown, in its ticks.
    private let media: Range<UInt64>
    /// See `MatroskaTrack.Sound`.
    private var rollDistance: Int16 = 0

    /// - Parameter scale: Nanoseconds in a tick of the segment.
    init(_ source: MatroskaTrack, _ frames: FrameTable, scale: UInt64, _ file: ReadableFile) throws(MovieFileError) {
        self.source = source
        let headSize = min(Int(frames.sizes.first ?? 0), Self.headSize)
        let head = ArraySlice(try file.read(upTo: headSize, at: frames.offsets.first ?? 0))
        if source.kind == .audio {
            let sound = try source.sound(head, size: Int(frames.sizes.first ?? 0))
            let times = try SoundTimes(
                frames.times.lazy.map { $0 == FrameTable.unknown ? nil : $0 * Int64(scale) },
                lengths: frames.soundLengths, sampleRate: sound.sampleRate, grain: scale)
            let rate = Double(sound.sampleRate)
            let delay = UInt64((Double(source.codecDelay) * rate / 1e9).rounded())
            let priming = min(delay > 0 ? delay : sound.priming, times.total)
            let padding = Double(max(0, frames.discardPadding)) * rate / 1e9
            let discarded = min(UInt64(min(padding, 1e12).rounded()), times.total - priming)
            media = priming..<max(priming, times.total - discarded)
            // Blocks are late by the delay already, and by nothing else.
            start = times.start + (delay > 0 ? 0 : Int64((Double(priming) * 1e9 / rate).rounded()))
            (entry, timescale, rollDistance) = (sound.entry, sound.sampleRate, sound.rollDistance)
            table = frames.sampleTable(times.durations)
            return
        }
        let times = try PictureTimes(
            try frames.pictureTimes(told: source.defaultDuration, scale: scale), scale: scale,
            told: source.defaultDuration, last: frames.lastDuration(scale: scale))
        entry = try source.pictures(head, rate: times.rate)
        timescale = times.timescale
        table = frames.sampleTable(times)
        media = times.delay..<times.delay + times.shown
        start = times.start
    }

    /// As much of a first frame as tells how it is coded.
    private static let headSize = 4096

    /// - Parameter origin: When the movie begins, in nanoseconds of the segment.
    func trak(id: UInt32, origin: Int64) throws(MovieFileError) -> (trak: Box, duration: UInt64) {
        let movieTimescale = MatroskaMovie.timescale
        let ahead = UInt64((Double(start - origin) * Double(movieTimescale) / 1e9).rounded())
        let shown = try UInt64(media.count).rescaled(from: timescale, to: movieTimescale)
        var edits = [EditList.Edit(duration: shown, mediaTime: media.lowerBound)]
        if ahead > 0 { edits.insert(.init(duration: ahead, mediaTime: nil), at: 0) }
        let duration = ahead + shown
        var tkhd = try trackHeader(id)
        try tkhd.setDuration(duration)
        var mdhd = try mediaHeader()
        try mdhd.setDuration(table.duration)
        var stbl = Box("stbl", children: [try SampleEntry.descriptionBox([entry])] + (try table.boxes()))
        stbl.children?.append(contentsOf: try rollGroups())
        let isVideo = source.kind == .video
        let minf = Box("minf", children: [try Self.media(isVideo: isVideo), try TextDescription.dinf(), stbl])
        var trak = Box(
            "trak",
            children: [
                tkhd, try EditList(edits: edits).box(),
                Box("mdia", children: [mdhd, try handler(isVideo ? "vide" : "soun"), minf]),
            ])
        if let name = source.name {
            let box = try Box("name") { (writer: inout ByteWriter) in writer.append(contentsOf: name.utf8.prefix(1000)) }
            trak.children?.append(Box("udta", children: [box]))
        }
        return (trak, duration)
    }

    private func trackHeader(_ id: UInt32) throws(MovieFileError) -> Box {
        let isVideo = source.kind == .video
        let size = isVideo ? source.shownSize : (0, 0)
        return try Box(full: "tkhd", flags: isEnabled ? 3 : 2) { (writer: inout ByteWriter) in
            writer.append(UInt64(0))
            writer.append(id)
            writer.append(UInt32(0))
            writer.append(UInt32(0))
            writer.append(UInt64(0))
            writer.append(UInt16(0))
            writer.append(alternateGroup)
            writer.append(UInt16(isVideo ? 0 : 0x100))
            writer.append(UInt16(0))
            writer.append(
                contentsOf: TransformationMatrix(source.orientation, width: size.0, height: size.1).bytes)
            writer.append(size.0)
            writer.append(size.1)
        }
    }

    private func mediaHeader() throws(MovieFileError) -> Box {
        let letters = Array(source.language.utf8)
        let isCode = letters.count == 3 && letters.allSatisfy { (0x61...0x7A).contains($0) }
        // Five bits a letter, from 1 for "a" on.
        let language = (isCode ? letters : Array("und".utf8)).reduce(UInt16(0)) { $0 << 5 | UInt16($1 - 0x60) }
        return try Box(full: "mdhd") { (writer: inout ByteWriter) in
            writer.append(UInt64(0))
            writer.append(timescale)
            writer.append(UInt32(0))
            writer.append(language)
            writer.append(UInt16(0))
        }
    }

    private func handler(_ type: FourCC) throws(MovieFileError) -> Box {
        try Box(full: "hdlr") { (writer: inout ByteWriter) in
            writer.append(UInt32(0))
            writer.append(type)
            writer.append(table: [UInt32](repeating: 0, count: 3))
            writer.append(contentsOf: (source.name ?? "").utf8.prefix(200))
            writer.append(UInt8(0))
        }
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
