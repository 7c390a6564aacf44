import MediaTypes

/// The one complete `moov` of a movie whose samples were gathered from its fragments.
struct MovieIndex: Sendable {
    /// The box as it belongs into the file.
    let moov: Box
    let tracks: [FinishedMovie.Track]
    /// Of the longest track.
    let duration: MediaTime

    /// - Parameters:
    ///   - movie: With every sample that belongs into the movie; a track without one is left out.
    ///   - timing: How it is known which sample is presented when.
    ///   - beginsInsideFrame: See `MovieFileWriter.Options`.
    /// - Throws: `noSamples` where no track has any, `encrypted`.
    init(_ movie: FragmentedMovie, timing: TrackTiming, beginsInsideFrame: Bool = false) throws(MovieFileError) {
        var traks: [Box] = []
        var tracks: [FinishedMovie.Track] = []
        var (longest, shown): (UInt64, UInt64) = (0, 0)
        let filled = movie.tracks.filter { $0.samples.count > 0 }
        guard filled.contains(where: { !$0.isTimeCode }) else { throw .noSamples }
        // A time code lasts as long as the frames that it is for.
        for track in filled.filter({ !$0.isTimeCode }) + filled.filter(\.isTimeCode) {
            var track = track
            guard var trak = try movie.moov.trak(track.trackID) else { continue }
            // What decrypts a sample is listed in its fragment, which the index takes the place of.
            for entry in track.entries where entry.format == "encv" || entry.format == "enca" {
                throw .encrypted(entry.format, offset: entry.fileOffset)
            }
            let edits =
                track.isTimeCode
                ? try track.extend(to: shown > 0 ? shown : longest, movieTimescale: movie.timescale)
                : try track.editList(timing, trak: trak, movieTimescale: movie.timescale)
            let duration = edits.edits.reduce(0) { $0 + $1.duration }
            longest = max(longest, duration)
            if track.handler == "vide" { shown = max(shown, duration) }
            track.decodeAsLongAsShown()
            if beginsInsideFrame, track.handler == "vide" { track.keepMeanRate() }
            try trak.complete(track, edits: edits, duration: duration)
            traks.append(trak)
            guard !track.isTimeCode else { continue }
            tracks.append(
                FinishedMovie.Track(
                    trackID: track.trackID, handler: track.handler, sampleCount: track.samples.count,
                    duration: MediaTime(ticks: duration, timescale: movie.timescale)))
        }
        var moov = movie.moov
        moov.removeChildren { $0.type == "mvex" }
        // Traks stand where the first one was, so that what comes before and after them stays in place.
        let place = moov.children?.firstIndex { $0.type == "trak" } ?? 0
        moov.removeChildren { $0.type == "trak" }
        moov.children?.insert(contentsOf: traks, at: place)
        try moov.edit(["mvhd"]) { (mvhd: inout Box) throws(MovieFileError) in try mvhd.setDuration(longest) }
        self.moov = moov
        self.tracks = tracks
        duration = MediaTime(ticks: longest, timescale: movie.timescale)
    }
}

extension FragmentedTrack {
    /// Lets a time code that was written with the movie's beginning last to its end, and returns the edits for it.
    fileprivate mutating func extend(to duration: UInt64, movieTimescale: UInt32) throws(MovieFileError) -> EditList {
        stretch(to: try duration.rescaled(from: movieTimescale, to: timescale))
        return EditList(edits: [.init(duration: duration, mediaTime: 0)])
    }
}

extension Box {
    /// A `moov`'s track of this number.
    fileprivate func trak(_ trackID: UInt32) throws(MovieFileError) -> Box? {
        for trak in all("trak") where try TrackHeader(try trak.required("tkhd")).trackID == trackID { return trak }
        return nil
    }

    /// Puts the sample table, the times and the edits into a `trak`.
    fileprivate mutating func complete(
        _ track: FragmentedTrack, edits: EditList, duration: UInt64
    ) throws(MovieFileError) {
        try edit(["tkhd"]) { (tkhd: inout Box) throws(MovieFileError) in try tkhd.setDuration(duration) }
        removeChildren { $0.type == "edts" }
        insert(try edits.box(), after: "tkhd")
        try edit(["mdia", "mdhd"]) { (mdhd: inout Box) throws(MovieFileError) in
            try mdhd.setDuration(track.samples.duration)
        }
        if track.handler == "vide", track.entries.contains(where: { $0["free"] != nil }) {
            try editSampleEntries(track.handler) { entry in entry.removeSpace() }
        }
        try edit(["mdia", "minf", "stbl"]) { (stbl: inout Box) throws(MovieFileError) in
            let tables: Set<FourCC> = ["stts", "ctts", "stss", "stsc", "stsz", "stz2", "stco", "co64"]
            stbl.removeChildren { tables.contains($0.type) }
            stbl.children?.append(contentsOf: try track.samples.boxes())
        }
    }
}

/// Turns a movie in fragments into an ordinary one, so that it plays after each single step.
///
/// 1. The complete index is appended. Players still find the first one and the fragments, and ignore the second.
/// 2. It is synced.
/// 3. One write of 16 bytes makes the first index the beginning of an `mdat` that reaches to the second.
struct IndexAppender {
    let file: any RandomAccessFile
    /// Where the first `moov` begins.
    let moovOffset: UInt64
    /// Where the data ends and the index goes.
    let dataEnd: UInt64

    /// The first two steps.
    func append(_ index: [UInt8]) throws(MovieFileError) {
        do {
            try file.write(index, at: dataEnd)
            try file.synchronize()
        } catch {
            // Half an index does no harm to the fragments, but its space is better used.
            try? file.truncate(to: dataEnd)
            throw error
        }
    }

    /// The last one. From here on the file must not become shorter, even where this fails: the step may have been taken.
    func makeItCount() throws(MovieFileError) {
        var header = ByteWriter()
        header.append(UInt32(1))
        header.append(FourCC("mdat"))
        header.append(dataEnd - moovOffset)
        try file.write(header.bytes, at: moovOffset)
        try file.synchronize()
    }
}
