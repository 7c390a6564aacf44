/// The one complete `moov` of a movie whose samples were gathered from its fragments.
struct MovieIndex: Sendable {
    /// The box as it belongs into the file.
    let moov: Box
    let tracks: [FinishedMovie.Track]
    /// Of the longest track, in seconds.
    let duration: Double

    /// - Parameters:
    ///   - movie: With every sample that belongs into the movie; a track without one is left out.
    ///   - soundPriming: See `MovieFileWriter.Options`.
    ///   - startTimes: When each track's first sample is presented, in seconds, by track ID; 0 where there is none.
    /// - Throws: `noSamples` where no track has any.
    init(
        _ movie: FragmentedMovie, soundPriming: Int, startTimes: [UInt32: Double]
    ) throws(MovieFileError) {
        var traks: [Box] = []
        var tracks: [FinishedMovie.Track] = []
        var longest: UInt64 = 0
        let filled = movie.tracks.filter { $0.samples.count > 0 }
        guard !filled.isEmpty else { throw .noSamples }
        for var trak in movie.moov.all("trak") {
            let trackID = try TrackHeader(try trak.required("tkhd")).trackID
            guard let track = filled.first(where: { $0.trackID == trackID }) else { continue }
            let edits = try track.editList(
                movieTimescale: movie.timescale, startTime: startTimes[trackID] ?? 0, soundPriming: soundPriming)
            let duration = edits.edits.reduce(0) { $0 + $1.duration }
            longest = max(longest, duration)
            try trak.complete(track, edits: edits, duration: duration)
            traks.append(trak)
            tracks.append(
                FinishedMovie.Track(
                    trackID: trackID, handler: track.handler, sampleCount: track.samples.count,
                    duration: Double(duration) / Double(movie.timescale)))
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
        duration = Double(longest) / Double(movie.timescale)
    }
}

extension FragmentedTrack {
    /// The edits that let every track begin where it belongs: nothing until its start, then all after the priming of
    /// the decoder or the reordering of pictures.
    fileprivate func editList(
        movieTimescale: UInt32, startTime: Double, soundPriming: Int
    ) throws(MovieFileError) -> EditList {
        let presented = samples.presentationTimes
        let start = handler == "vide" ? presented.lowerBound : try priming(soundPriming: soundPriming)
        let shown = try (presented.upperBound - min(start, presented.upperBound))
            .rescaled(from: timescale, to: movieTimescale)
        var edits: [EditList.Edit] = []
        let ahead = (startTime * Double(movieTimescale)).rounded()
        let fragmentStart = try (firstDecodeTime ?? 0).rescaled(from: timescale, to: movieTimescale)
        let (delay, overflow) = fragmentStart.addingReportingOverflow(UInt64(exactly: max(0, ahead)) ?? 0)
        guard !overflow, delay < UInt64(Int64.max), shown < UInt64(Int64.max) else {
            throw .unsupported(reason: "track \(trackID) would begin after the end of time")
        }
        if delay > 0 { edits.append(.init(duration: delay, mediaTime: nil)) }
        edits.append(.init(duration: shown, mediaTime: start))
        return EditList(edits: edits)
    }
}

extension Box {
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
        try edit(["mdia", "minf", "stbl"]) { (stbl: inout Box) throws(MovieFileError) in
            let tables: Set<FourCC> = ["stts", "ctts", "stss", "stsc", "stsz", "stz2", "stco", "co64"]
            stbl.removeChildren { tables.contains($0.type) }
            stbl.children?.append(contentsOf: try track.samples.boxes())
        }
    }
}
