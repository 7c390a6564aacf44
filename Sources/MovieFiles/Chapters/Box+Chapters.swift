import MediaTypes

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
        let duration = MediaTime(ticks: header.duration, timescale: header.timescale)
        // The track would make the movie longer than it is.
        let within = chapters.filter { $0.start <= .zero || $0.start < duration || duration == .zero }
        guard !within.isEmpty else { return nil }
        let track = try ChapterTrack(within, duration: duration)
        try add(
            track.track(id: freeTrackID(), movieTimescale: header.timescale, dataOffset: dataOffset), as: "chap",
            for: ["vide", "soun"])
        var userData = self["udta"] ?? Box("udta", children: [])
        userData.replaceOrAppend(try track.nero())
        setUserData(userData)
        return track
    }

    private mutating func removeChapters() throws(MovieFileError) {
        let ids = try chapterTrackIDs()
        // The others stay where they are: before QuickTime's keys, for which ffmpeg (5.1) takes the items of what comes behind them.
        var kept: [Box] = []
        for child in children ?? [] {
            if child.type == "trak", ids.contains(try TrackHeader(try child.required("tkhd")).trackID) { continue }
            kept.append(child)
        }
        children = kept
        try editAll("trak") { (trak: inout Box) throws(MovieFileError) in
            try trak.edit(["tref"]) { (tref: inout Box) in tref.removeChildren { $0.type == "chap" } }
            trak.removeChildren { $0.type == "tref" && $0.children?.isEmpty == true }
        }
        try edit(["udta"]) { (udta: inout Box) in udta.removeChildren { $0.type == "chpl" } }
    }

    /// Forgets of the list in user data what begins at a time or later.
    mutating func removeListedChapters(from end: MediaTime) throws(MovieFileError) {
        guard let chpl = descendant("udta", "chpl"), let all = try? ChapterReading.nero(chpl) else { return }
        let kept = all.filter { $0.start < end }
        guard kept.count < all.count else { return }
        let list = try ChapterTrack.nero(kept)
        try edit(["udta"]) { (udta: inout Box) in udta.replaceOrAppend(list) }
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

    /// Of the tracks that a `moov` has beside the chapters' titles, such as their images: what each is.
    func chapterCompanions() throws(MovieFileError) -> [UInt32: (handler: FourCC, name: String)] {
        let ids = try chapterTrackIDs()
        var (found, hasTitles) = ([UInt32: (handler: FourCC, name: String)](), false)
        for trak in all("trak") {
            let id = try TrackHeader(try trak.required("tkhd")).trackID
            guard ids.contains(id) else { continue }
            let handler = try trak.required("mdia").required("hdlr").handlerType()
            if ChapterReading.handlers.contains(handler), !hasTitles {
                hasTitles = true
            } else {
                found[id] = (handler, handler == "vide" ? "images of chapters" : "a further list of chapters")
            }
        }
        return found
    }
}
