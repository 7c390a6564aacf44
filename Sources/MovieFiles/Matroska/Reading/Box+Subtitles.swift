extension Box {
    /// Adds tracks of subtitles to a `moov`, behind its others.
    ///
    /// - Parameter dataOffset: Where the first one's `data` will lie in the file; those of the others follow it.
    mutating func add(
        _ subtitles: [SubtitleTrack], dataOffset: UInt64, for fileType: MovieFileType
    ) throws(MovieFileError) {
        guard !subtitles.isEmpty else { return }
        let timescale = try TimeHeader(try required("mvhd")).timescale
        var id: UInt32 = 0
        for trak in all("trak") { id = max(id, try TrackHeader(try trak.required("tkhd")).trackID) }
        var offset = dataOffset
        for track in subtitles {
            guard id < UInt32.max - 1 else { throw .unsupported(reason: "it has no track number left") }
            id += 1
            let place = (children?.lastIndex { $0.type == "trak" } ?? 0) + 1
            children?.insert(
                try track.trak(id: id, dataOffset: offset, for: fileType, movieTimescale: timescale), at: place)
            offset += UInt64(track.data.count)
        }
        var writer = ByteWriter()
        writer.append(id + 1)
        // The next number to be given ends the header.
        try edit(["mvhd"]) { (mvhd: inout Box) throws(MovieFileError) in
            try mvhd.overwritePayload(at: mvhd.payload.count - 4, with: writer.bytes)
        }
    }
}
