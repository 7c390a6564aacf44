/// A track of time codes that the pictures refer to (QuickTime File Format, "Timecode Media"): a single sample, the number of
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
    func trak(
        id: UInt32, duration: UInt64, movieTimescale: UInt32, dataOffset: UInt64
    ) throws(MovieFileError) -> Box {
        let own = try duration.rescaled(from: movieTimescale, to: timeCode.rateNumerator)
        var table = SampleTable()
        table.append(
            [FragmentSample(duration: max(1, UInt32(clamping: own)), size: 4, isSync: true, compositionOffset: 0)],
            at: dataOffset + 8)
        let tkhd = try Box(full: "tkhd", flags: 3) { (writer: inout ByteWriter) throws(MovieFileError) in
            writer.append(UInt64(0))
            writer.append(id)
            writer.append(UInt32(0))
            writer.append(UInt32(clamping: duration))
            writer.append(table: [UInt32](repeating: 0, count: 4))
            writer.append(contentsOf: TransformationMatrix(.upright, width: 0, height: 0).bytes)
            writer.append(UInt64(0))
        }
        let mdhd = try Box(full: "mdhd") { (writer: inout ByteWriter) in
            writer.append(UInt64(0))
            writer.append(timeCode.rateNumerator)
            writer.append(UInt32(clamping: own))
            writer.append(UInt32(0x55C4_0000))
        }
        let hdlr = try Box(full: "hdlr") { (writer: inout ByteWriter) in
            writer.append(FourCC("mhlr"))
            writer.append(FourCC("tmcd"))
            writer.append(table: [UInt32](repeating: 0, count: 3))
            writer.append(UInt8(0))
        }
        let stbl = Box("stbl", children: [try stsd()] + (try table.boxes()))
        let minf = Box("minf", children: [try gmhd(), try TextDescription.dinf(), stbl])
        return Box("trak", children: [tkhd, Box("mdia", children: [mdhd, hdlr, minf])])
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

    /// The base media header, and how a player would draw the numbers.
    private func gmhd() throws(MovieFileError) -> Box {
        let gmin = try Box(full: "gmin") { (writer: inout ByteWriter) in
            writer.append(UInt16(0x40))
            writer.append(table: [UInt16](repeating: 0x8000, count: 3))
            writer.append(UInt32(0))
        }
        let tcmi = try Box(full: "tcmi") { (writer: inout ByteWriter) in
            // The system's font, plain, 12 points; black on white.
            writer.append(table: [UInt16(0), 0, 12, 0])
            writer.append(table: [UInt16](repeating: 0, count: 3))
            writer.append(table: [UInt16](repeating: 0xFFFF, count: 3))
            writer.append(UInt8(0))
        }
        return Box("gmhd", children: [gmin, Box("tmcd", children: [tcmi])])
    }
}

extension Box {
    /// Adds a track of time codes to a `moov` that has none.
    ///
    /// - Parameter dataOffset: Where the returned track's `data` will lie in the file.
    /// - Returns: The track whose `data` has to be written there; nil where no pictures would refer to it.
    mutating func addTimeCode(_ timeCode: TimeCode, dataOffset: UInt64) throws(MovieFileError) -> TimeCodeTrack? {
        let header = try TimeHeader(try required("mvhd"))
        var (lastID, hasPictures) = (UInt32(0), false)
        for trak in all("trak") {
            lastID = max(lastID, try TrackHeader(try trak.required("tkhd")).trackID)
            switch try trak.required("mdia").required("hdlr").handlerType() {
            case "vide": hasPictures = true
            case "tmcd": return nil
            default: break
            }
        }
        guard hasPictures, lastID < UInt32.max - 1 else { return nil }
        let (track, id) = (try TimeCodeTrack(timeCode), lastID + 1)
        try editAll("trak") { (trak: inout Box) throws(MovieFileError) in
            guard try trak.required("mdia").required("hdlr").handlerType() == "vide" else { return }
            var references = trak["tref"] ?? Box("tref", children: [])
            references.replaceOrAppend(try Box("tmcd") { (writer: inout ByteWriter) in writer.append(id) })
            trak.replaceOrAppend(references)
        }
        children?.append(
            try track.trak(
                id: id, duration: header.duration, movieTimescale: header.timescale, dataOffset: dataOffset))
        try edit(["mvhd"]) { (mvhd: inout Box) throws(MovieFileError) in
            var writer = ByteWriter()
            writer.append(id + 1)
            try mvhd.overwritePayload(at: mvhd.payload.count - 4, with: writer.bytes)
        }
        return track
    }
}
