extension Box {
    /// Replaces the chapters of a `moov`; those that begin behind the movie's end are left out.
    ///
    /// - Parameter dataOffset: Where the returned track's `data` will lie in the file.
    /// - Returns: The track whose `data` has to be written there; nil where there is no chapter.
    mutating func setChapters(
        _ chapters: [MovieInfo.Chapter], dataOffset: UInt64
    ) throws(MovieFileError) -> ChapterTrack? {
        try removeChapters()
        guard !chapters.isEmpty else { return nil }
        let header = try TimeHeader(try required("mvhd"))
        let duration = Double(header.duration) / Double(header.timescale)
        // The track would make the movie longer than it is.
        let within = chapters.filter { $0.start <= 0 || $0.start < duration || duration == 0 }
        guard !within.isEmpty else { return nil }
        let track = try ChapterTrack(within, duration: duration)
        var lastID: UInt32 = 0
        for trak in all("trak") { lastID = max(lastID, try TrackHeader(try trak.required("tkhd")).trackID) }
        guard lastID < UInt32.max - 1 else { throw .unsupported(reason: "it has no track number left") }
        let id = lastID + 1
        try editAll("trak") { (trak: inout Box) throws(MovieFileError) in
            let handler = try trak.required("mdia").required("hdlr").handlerType()
            guard handler == "vide" || handler == "soun" else { return }
            var references = trak["tref"] ?? Box("tref", children: [])
            references.replaceOrAppend(try Box("chap") { (writer: inout ByteWriter) in writer.append(id) })
            trak.replaceOrAppend(references)
        }
        children?.append(
            try track.trak(id: id, movieTimescale: header.timescale, dataOffset: dataOffset))
        try edit(["mvhd"]) { (mvhd: inout Box) throws(MovieFileError) in
            try mvhd.overwritePayload(at: mvhd.payload.count - 4, with: (id + 1).bigEndianBytes)
        }
        var userData = self["udta"] ?? Box("udta", children: [])
        userData.replaceOrAppend(try track.nero())
        replaceOrAppend(userData)
        return track
    }

    private mutating func removeChapters() throws(MovieFileError) {
        let ids = try chapterTrackIDs()
        var kept: [Box] = []
        for trak in all("trak") where try !ids.contains(TrackHeader(try trak.required("tkhd")).trackID) {
            kept.append(trak)
        }
        removeChildren { $0.type == "trak" && !ids.isEmpty }
        if !ids.isEmpty { children?.append(contentsOf: kept) }
        try editAll("trak") { (trak: inout Box) throws(MovieFileError) in
            try trak.edit(["tref"]) { (tref: inout Box) in tref.removeChildren { $0.type == "chap" } }
            trak.removeChildren { $0.type == "tref" && $0.children?.isEmpty == true }
        }
        try edit(["udta"]) { (udta: inout Box) in udta.removeChildren { $0.type == "chpl" } }
    }

    /// The tracks of a `moov` that others name as their chapters.
    func chapterTrackIDs() throws(MovieFileError) -> Set<UInt32> {
        var ids: Set<UInt32> = []
        for trak in all("trak") {
            guard let chap = trak.descendant("tref", "chap") else { continue }
            var reader = ByteReader(chap)
            ids.formUnion(try reader.readTable(chap.payload.count / 4, of: UInt32.self))
        }
        return ids
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}
