package import MediaTypes

extension VideoIndex {
    /// When the first frame is shown, in the movie's own time.
    ///
    /// - Throws: `invalidBox`, `unsupported` where the index does not tell.
    package func beginning() throws(MovieFileError) -> MediaTime {
        let timescale = try TimeHeader(try original.source.moov.required("mvhd")).timescale
        return try Self.beginning(of: track, movieTimescale: timescale)
    }

    /// When each shown frame is shown, in order, and when the last one ends; counted from the movie's first sample, whichever track has it.
    ///
    /// - Throws: `invalidBox`, `unsupported` where the index does not tell.
    package func presentation() throws(MovieFileError) -> (times: [MediaTime], end: MediaTime) {
        let source = original.source
        let timescale = try TimeHeader(try source.moov.required("mvhd")).timescale
        let own = try Self.beginning(of: track, movieTimescale: timescale)
        var first = own
        for trak in source.moov.all("trak") {
            let mdia = try trak.required("mdia")
            guard try mdia.required("hdlr").handlerType() == "soun" else { continue }
            let stsd = try mdia.required("minf").required("stbl").required("stsd")
            let entries = try SampleEntry.entries(of: stsd, handler: "soun")
            let audio = try CopiedTrack(
                trak, entries: entries, fileSize: original.file.size, movieTimescale: timescale)
            if audio.table.count > 0 { first = min(first, try Self.beginning(of: audio, movieTimescale: timescale)) }
        }
        let lead = own - first
        return (frames.filter(\.isShown).map { $0.time + lead }.sorted(), duration + lead)
    }

    /// When the frames are shown, from the first shown frame on, that decoding can begin with; closed are those that nothing decoded after
    /// them reaches behind.
    ///
    /// - Throws: `system` for a file that cannot be read.
    package func keyFrames() throws(MovieFileError) -> (closed: [MediaTime], all: [MediaTime]) {
        var (closed, all) = ([MediaTime](), [MediaTime]())
        for (index, frame) in frames.enumerated() where frame.isShown && frame.beginsGroup {
            all.append(frame.time)
            let size = track.table.sizes.total(of: index..<index + 1)
            let isClosed = try record?.isClosed(at: places[index].offset, size: size, original.file) ?? true
            if isClosed { closed.append(frame.time) }
        }
        return (closed.sorted(), all.sorted())
    }

    /// When the first sample of a track is presented.
    private static func beginning(
        of track: CopiedTrack, movieTimescale: UInt32
    ) throws(MovieFileError) -> MediaTime {
        let earliest = track.table.presentationTimes.lowerBound
        func time(_ ticks: UInt64) -> MediaTime {
            MediaTime(samples: Int(clamping: ticks), rate: Int(track.timescale)).clamped
        }
        guard let elst = track.trak.descendant("edts", "elst") else { return time(earliest) }
        var begin = MediaTime.zero
        for edit in try EditList(elst).edits {
            if let mediaTime = edit.mediaTime { return begin + time(max(earliest, mediaTime) - mediaTime) }
            begin =
                (begin + MediaTime(samples: Int(clamping: edit.duration), rate: Int(movieTimescale)).clamped).clamped
        }
        return begin
    }
}
