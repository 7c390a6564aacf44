/// A track of time codes that the frames refer to (QuickTime File Format, "Timecode Media"): a single sample, the number of
/// the first frame. In MP4 it is the same but for a header without a content, as ffmpeg writes it too.
struct TimeCodeTrack: Sendable {
    let timeCode: TimeCode
    /// The sample, in an `mdat` box.
    let data: [UInt8]

    init(_ timeCode: TimeCode) throws(MovieFileError) {
        self.timeCode = timeCode
        var writer = ByteWriter()
        try writer.box("mdat") { (writer: inout ByteWriter) in writer.append(timeCode.frameNumber) }
        data = writer.bytes
    }

    /// The track, with its sample in the `data` box at `dataOffset`.
    ///
    /// - Parameter length: Of the movie, in its ticks and in those of the track; nil: it lasts for one frame, as how long the movie is going
    ///   to last is not known yet, and is put in with the ``MovieIndex``.
    fileprivate func track(
        id: UInt32, dataOffset: UInt64, isQuickTime: Bool, lasting length: (movie: UInt64, own: UInt32)? = nil
    ) throws(MovieFileError) -> AddedTrack {
        var table = SampleTable()
        table.append(
            [
                FragmentSample(
                    duration: length?.own ?? timeCode.rateDenominator, size: 4, isSync: true, compositionOffset: 0)
            ], at: dataOffset + 8)
        return AddedTrack(
            id: id, handler: "tmcd", isQuickTime: isQuickTime, isEnabled: true, timescale: timeCode.rateNumerator,
            duration: length?.movie ?? 0, table: table, description: try stsd(),
            mediaHeader: isQuickTime ? try Self.mediaHeader() : try Box(full: "nmhd") { _ in })
    }

    private func stsd() throws(MovieFileError) -> Box {
        try Box(full: "stsd") { (writer: inout ByteWriter) throws(MovieFileError) in
            writer.append(UInt32(1))
            try writer.box("tmcd") { (writer: inout ByteWriter) in
                writer.append(table: [UInt8](repeating: 0, count: 6))
                writer.append(UInt16(1))
                writer.append(UInt32(0))
                // Drop frame; that it begins again after a day.
                writer.append(UInt32(timeCode.isDropFrame ? 3 : 2))
                writer.append(timeCode.rateNumerator)
                writer.append(timeCode.rateDenominator)
                writer.append(UInt8(clamping: timeCode.framesPerSecond))
                writer.append(UInt8(0))
            }
        }
    }

    /// How a player would draw the numbers.
    static func mediaHeader() throws(MovieFileError) -> Box {
        let tcmi = try Box(full: "tcmi") { (writer: inout ByteWriter) in
            // The system's font, plain, 12 points; black on white.
            writer.append(table: [UInt16(0), 0, 12, 0])
            writer.append(table: [UInt16](repeating: 0, count: 3))
            writer.append(table: [UInt16](repeating: 0xFFFF, count: 3))
            writer.append(UInt8(0))
        }
        return try AddedTrack.gmhd(Box("tmcd", children: [tcmi]))
    }
}

extension Box {
    /// Adds a track of time codes to the `moov` of a movie in fragments that has none.
    ///
    /// - Parameter fileOffset: Where the `moov` will lie in the file.
    /// - Returns: What has to be written behind it; nothing where no frames would refer to the track.
    mutating func addTimeCode(
        _ timeCode: TimeCode, at fileOffset: UInt64, isQuickTime: Bool
    ) throws(MovieFileError) -> [UInt8] {
        var handlers: Set<FourCC> = []
        for trak in all("trak") { handlers.insert(try trak.required("mdia").required("hdlr").handlerType()) }
        guard handlers.contains("vide"), !handlers.contains("tmcd") else { return [] }
        let (track, id, plain) = (try TimeCodeTrack(timeCode), try freeTrackID(), self)
        // Its own size says where the sample lies behind it, whose place has as many bytes wherever that is.
        var dataOffset: UInt64 = 0
        for _ in 0..<2 {
            self = plain
            try add(
                track.track(id: id, dataOffset: dataOffset, isQuickTime: isQuickTime), as: "tmcd", for: ["vide"])
            dataOffset = fileOffset + UInt64(try serialized().count)
        }
        return track.data
    }

    /// Adds a track of time codes to the `moov` of a whole movie, as long as that.
    ///
    /// - Parameter dataOffset: Where its `data` will lie in the file.
    mutating func add(_ timeCode: TimeCodeTrack, dataOffset: UInt64, isQuickTime: Bool) throws(MovieFileError) {
        let header = try TimeHeader(try required("mvhd"))
        let own = try header.duration.rescaled(from: header.timescale, to: timeCode.timeCode.rateNumerator)
        let track = try timeCode.track(
            id: try freeTrackID(), dataOffset: dataOffset, isQuickTime: isQuickTime,
            lasting: (header.duration, max(1, UInt32(clamping: own))))
        try add(track, as: "tmcd", for: ["vide"])
    }
}
