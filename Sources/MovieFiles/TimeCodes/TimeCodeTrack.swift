/// A track of time codes that the frames refer to (QuickTime File Format, "Timecode Media"): a single sample, the number of
/// the first frame.
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

    /// The track, with its sample in the `data` box at `offset`.
    ///
    /// - Parameter duration: of the movie, in its timescale.
    fileprivate func track(
        id: UInt32, duration: UInt64, movieTimescale: UInt32, dataOffset: UInt64
    ) throws(MovieFileError) -> AddedTrack {
        let own = try duration.rescaled(from: movieTimescale, to: timeCode.rateNumerator)
        var table = SampleTable()
        table.append(
            [FragmentSample(duration: max(1, UInt32(clamping: own)), size: 4, isSync: true, compositionOffset: 0)],
            at: dataOffset + 8)
        return AddedTrack(
            id: id, handler: "tmcd", isEnabled: true, timescale: timeCode.rateNumerator, duration: duration,
            table: table,
            description: try stsd(), mediaHeader: try appearance())
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
    private func appearance() throws(MovieFileError) -> Box {
        let tcmi = try Box(full: "tcmi") { (writer: inout ByteWriter) in
            // The system's font, plain, 12 points; black on white.
            writer.append(table: [UInt16(0), 0, 12, 0])
            writer.append(table: [UInt16](repeating: 0, count: 3))
            writer.append(table: [UInt16](repeating: 0xFFFF, count: 3))
            writer.append(UInt8(0))
        }
        return Box("tmcd", children: [tcmi])
    }
}

extension Box {
    /// Adds a track of time codes to a `moov` that has none.
    ///
    /// - Parameter dataOffset: Where the returned track's `data` will lie in the file.
    /// - Returns: The track whose `data` has to be written there; nil where no frames would refer to it.
    mutating func addTimeCode(_ timeCode: TimeCode, dataOffset: UInt64) throws(MovieFileError) -> TimeCodeTrack? {
        var handlers: Set<FourCC> = []
        for trak in all("trak") { handlers.insert(try trak.required("mdia").required("hdlr").handlerType()) }
        guard handlers.contains("vide"), !handlers.contains("tmcd") else { return nil }
        let (header, id) = (try TimeHeader(try required("mvhd")), try freeTrackID())
        let track = try TimeCodeTrack(timeCode)
        try add(
            track.track(
                id: id, duration: header.duration, movieTimescale: header.timescale, dataOffset: dataOffset),
            as: "tmcd", for: ["vide"])
        return track
    }
}
