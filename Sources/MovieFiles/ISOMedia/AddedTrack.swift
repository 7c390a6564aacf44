import MediaTypes

/// A track that Rushes makes: chapters and time codes beside those that have come, which refer to it, and the audio of what is no movie.
struct AddedTrack {
    /// Unique in the movie.
    var id: UInt32
    var handler: FourCC
    var isQuickTime = true
    /// Whether players show it.
    var isEnabled: Bool
    /// Ticks in a second.
    var timescale: UInt32
    /// Before the first sample, in the movie's timescale.
    var delay: UInt64 = 0
    /// From the first sample to the end of the last, in the movie's timescale.
    var duration: UInt64
    var table: SampleTable
    /// How the samples are coded, a `stsd`.
    var description: Box
    /// What is told of the whole track: a `gmhd`, in ISO files a `nmhd`, of audio a `smhd`.
    var mediaHeader: Box

    /// The box of the track.
    func trak() throws(MovieFileError) -> Box {
        var tkhd = try Box(full: "tkhd", flags: isEnabled ? 3 : 0) {
            (writer: inout ByteWriter) throws(MovieFileError) in
            writer.append(UInt64(0))
            writer.append(id)
            writer.append(UInt64(0))
            writer.append(table: [UInt32](repeating: 0, count: 4))
            writer.append(contentsOf: TransformationMatrix(.upright, width: 0, height: 0).bytes)
            writer.append(UInt64(0))
        }
        try tkhd.setDuration(delay + duration)
        var mdhd = try Box(full: "mdhd") { (writer: inout ByteWriter) in
            writer.append(UInt64(0))
            writer.append(timescale)
            writer.append(UInt32(0))
            writer.append(TrackLanguage.unknown)
            writer.append(UInt16(0))
        }
        try mdhd.setDuration(table.duration)
        let hdlr = try Box(full: "hdlr") { (writer: inout ByteWriter) in
            writer.append(isQuickTime ? FourCC("mhlr").rawValue : 0)
            writer.append(handler)
            writer.append(table: [UInt32](repeating: 0, count: 3))
            writer.append(UInt8(0))
        }
        let stbl = Box("stbl", children: [description] + (try table.boxes()))
        let minf = Box("minf", children: [mediaHeader, try TextDescription.dinf(), stbl])
        let mdia = Box("mdia", children: [mdhd, hdlr, minf])
        guard delay > 0 else { return Box("trak", children: [tkhd, mdia]) }
        let edits = EditList(edits: [.init(duration: delay, mediaTime: nil), .init(duration: duration, mediaTime: 0)])
        return Box("trak", children: [tkhd, try edits.box(), mdia])
    }

    /// The base media header (QuickTime File Format, "Base Media Information Header Atom").
    static func gmhd(_ mediaHeader: Box) throws(MovieFileError) -> Box {
        let gmin = try Box(full: "gmin") { (writer: inout ByteWriter) in
            writer.append(UInt16(0x40))
            writer.append(table: [UInt16](repeating: 0x8000, count: 3))
            writer.append(UInt32(0))
        }
        return Box("gmhd", children: [gmin, mediaHeader])
    }
}

extension Box {
    /// A number for a track that is to be added to a `moov`.
    func freeTrackID() throws(MovieFileError) -> UInt32 {
        var last: UInt32 = 0
        for trak in all("trak") { last = max(last, try TrackHeader(try trak.required("tkhd")).trackID) }
        guard last < UInt32.max - 1 else { throw .unsupported(reason: "it has no track number left") }
        return last + 1
    }

    /// Adds a track to a `moov`.
    ///
    /// - Parameters:
    ///   - reference: What others refer to it as.
    ///   - handlers: Of those that do.
    mutating func add(
        _ track: AddedTrack, as reference: FourCC, for handlers: Set<FourCC>
    ) throws(MovieFileError) {
        try editAll("trak") { (trak: inout Box) throws(MovieFileError) in
            guard handlers.contains(try trak.required("mdia").required("hdlr").handlerType()) else { return }
            var references = trak["tref"] ?? Box("tref", children: [])
            references.replaceOrAppend(try Box(reference) { (writer: inout ByteWriter) in writer.append(track.id) })
            trak.replaceOrAppend(references)
        }
        try append(track: try track.trak(), track.id)
        // Each track of a movie in fragments has its defaults there (ISO/IEC 14496-12 section 8.8.3.1).
        try edit(["mvex"]) { (mvex: inout Box) throws(MovieFileError) in
            let trex = try Box(full: "trex") { (writer: inout ByteWriter) in
                writer.append(table: [track.id, 1, 0, 0, 0])
            }
            mvex.children?.append(trex)
        }
    }

    /// Adds a `trak` to a `moov`, behind its others.
    ///
    /// - Parameter number: the track's, which is above all others.
    mutating func append(track: Box, _ number: UInt32) throws(MovieFileError) {
        let (last, end) = (children?.lastIndex { $0.type == "trak" }, children?.endIndex ?? 0)
        children?.insert(track, at: last.map { $0 + 1 } ?? end)
        var writer = ByteWriter()
        writer.append(number + 1)
        // The next number to be given ends the header (ISO/IEC 14496-12, 8.2.2).
        try edit(["mvhd"]) { (mvhd: inout Box) throws(MovieFileError) in
            try mvhd.overwritePayload(at: mvhd.payload.count - 4, with: writer.bytes)
        }
    }
}
