extension JoinedOriginal {
    /// A movie without its audio, and that of another one beside it, from their beginnings on.
    ///
    /// - Parameters:
    ///   - original: opened without audio.
    ///   - other: a movie of the same kind, unless both go into Matroska.
    /// - Throws: as ``MovieCopy``.
    package init(_ original: MovieOriginal, audioOf other: MovieOriginal) throws(MovieFileError) {
        var files = SourceFiles(original.file.descriptor, size: original.file.size)
        let base = files.append(other.file.descriptor, size: other.file.size)
        var moov = original.source.moov
        let timescale = try TimeHeader(try moov.required("mvhd")).timescale
        for track in try other.audio(in: timescale) {
            let number = try moov.freeTrackID()
            let made = try track.trak(number, at: base, track.edits)
            let (last, end) = (moov.children?.lastIndex { $0.type == "trak" }, moov.children?.endIndex ?? 0)
            moov.children?.insert(made, at: last.map { $0 + 1 } ?? end)
        }
        source = CopySource(
            joined: moov, size: files.end, isQuickTime: original.source.isQuickTime, isWhole: original.source.isWhole,
            chapters: original.source.chapters, stereo: original.source.stereo)
        (self.files, first, originals, omissions, movies) = (files, original, [original, other], [], [])
    }
}

/// A track of audio that goes into another movie.
struct MovedAudio {
    private let original: Box
    private let table: SampleTable
    /// In ticks of the other movie.
    let edits: [EditList.Edit]

    fileprivate init(_ trak: Box, _ table: SampleTable, _ edits: [EditList.Edit]) {
        (original, self.table, self.edits) = (trak, table, edits)
    }

    /// - Parameters:
    ///   - base: where its file begins in the row of all.
    ///   - edits: what is shown of it.
    func trak(_ number: UInt32, at base: UInt64, _ edits: [EditList.Edit]) throws(MovieFileError) -> Box {
        var table = table
        for index in table.chunks.indices { table.chunks[index].offset += base }
        let shown = edits.reduce(0) { $0 + $1.duration }
        var made = try original.replacingSamples(with: table, edits: EditList(edits: edits), lasting: shown)
        try made.edit(["tkhd"]) { (tkhd: inout Box) throws(MovieFileError) in try tkhd.setTrackID(number) }
        return made
    }
}

extension MovieOriginal {
    /// Its audio for another movie, whose ticks a second are given.
    func audio(in timescale: UInt32) throws(MovieFileError) -> [MovedAudio] {
        let own = try TimeHeader(try source.moov.required("mvhd")).timescale
        var tracks: [MovedAudio] = []
        for trak in source.moov.all("trak") {
            let mdia = try trak.required("mdia")
            guard try mdia.required("hdlr").handlerType() == "soun" else { continue }
            let stsd = try mdia.required("minf").required("stbl").required("stsd")
            let entries = try SampleEntry.entries(of: stsd, handler: "soun")
            let track = try CopiedTrack(trak, entries: entries, fileSize: file.size, movieTimescale: own)
            var edits: [EditList.Edit] = []
            for edit in try track.edits(movieTimescale: own) {
                let duration = try edit.duration.rescaled(from: own, to: timescale)
                edits.append(.init(duration: duration, mediaTime: edit.mediaTime))
            }
            tracks.append(MovedAudio(trak, track.table, edits))
        }
        return tracks
    }
}

extension Box {
    /// Gives a `tkhd` another number.
    mutating func setTrackID(_ number: UInt32) throws(MovieFileError) {
        var writer = ByteWriter()
        writer.append(number)
        // Behind version and flags, and two times (ISO/IEC 14496-12, 8.3.2).
        try overwritePayload(at: try TrackHeader(self).version == 1 ? 20 : 12, with: writer.bytes)
    }
}
