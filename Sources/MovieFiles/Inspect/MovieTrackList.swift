package import MediaTypes
package import SystemPackage

/// A track of a QuickTime or MP4 file as its index names it, whatever it holds.
package struct ListedTrack: Hashable, Sendable {
    /// Unique in the movie.
    package var trackID: UInt32
    /// What it is for (ISO/IEC 14496-12, 8.4.3): `vide`, `soun`, `text`, `tmcd`, …
    package var handler: String
    /// Its first sample description's type, as `avc1`; nil where it has none.
    package var format: String?
    /// How many samples it lists.
    package var sampleCount: Int
    /// Whether other tracks name it as their chapters.
    package var isChapters: Bool
    /// What it tells about itself.
    package var attributes: TrackAttributes
    /// Whether its first samples are in the file for others that need them, or for a decoder, and are not presented.
    package var hidesBeginning = false
    /// Of video: whether edits hide frames among those that they show, which a copy without edits would show or lack.
    package var hidesNeededFrames = false
    /// How long edits show nothing of it.
    package var pauses = MediaTime.zero
    /// Whether its first sample can be decoded by itself.
    package var beginsWithSync = true
    /// How wide a pixel is for its height, where the first sample description or its frames tell.
    package var pixelAspect: Fraction?
}

extension ListedTrack {
    /// All tracks of a movie, in the file's order.
    ///
    /// - Throws: `notAMovie`, `invalidBox`, or `system` where the file cannot be read.
    package static func all(in path: FilePath) throws(MovieFileError) -> [ListedTrack] {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            let contents = try MovieContents(file)
            let chapters = try contents.moov.chapterTrackIDs()
            return try contents.tracks().map { track in
                ListedTrack(
                    trackID: track.header.trackID, handler: track.handler.description,
                    format: track.entry?.format.description, sampleCount: track.statistics.sampleCount,
                    isChapters: chapters.contains(track.header.trackID), attributes: track.attributes,
                    hidesBeginning: track.hidesBeginning, hidesNeededFrames: track.hidesNeededFrames,
                    pauses: track.pauses, beginsWithSync: track.beginsWithSync,
                    pixelAspect: (try? track.pixelShape(file)) ?? nil)
            }
        }
    }
}

extension SampleEntry {
    /// As `pasp` tells it (ISO/IEC 14496-12, 12.1.4); nil for what no player takes for a shape.
    var pixelShape: Fraction? {
        guard let fields = self["pasp"]?.payload, let across = UInt32(bigEndianBytes: fields.prefix(4)),
            let down = UInt32(bigEndianBytes: fields.dropFirst(4).prefix(4)),
            (1...UInt32(Int32.max)).contains(across), (1...UInt32(Int32.max)).contains(down)
        else { return nil }
        return Fraction(Int(across), Int(down))
    }
}

extension Box {
    /// How many samples of a `trak` lie wholly in a file of this size, and how long these last, in the track's timescale.
    func wholeSamples(before end: UInt64) throws(MovieFileError) -> (count: Int, duration: UInt64) {
        let table = try sampleTable
        var (cursor, count) = (SampleCursor(table), 0)
        for chunk in table.chunks {
            var (rest, used) = (cursor, UInt64(0))
            let size = cursor.advance(chunk.sampleCount)
            let space = end - min(end, chunk.offset)
            if size <= space {
                count += chunk.offset <= end ? chunk.sampleCount : 0
                continue
            }
            for _ in 0..<chunk.sampleCount {
                used += rest.advance(1)
                guard used <= space else { break }
                count += 1
            }
        }
        return (count, table.samples(0..<count).duration)
    }

    /// What a `trak` lists.
    private var sampleTable: SampleTable {
        get throws(MovieFileError) {
            let mdia = try required("mdia")
            let stbl = try mdia.required("minf").required("stbl")
            var bytesPerFrame: Int?
            if try mdia.required("hdlr").handlerType() == "soun", let stsd = stbl["stsd"],
                let entry = try SampleEntry.entries(of: stsd, handler: "soun").first
            {
                bytesPerFrame = try AudioFields(entry).bytesPerFrame
            }
            return try SampleTable(stbl, bytesPerFrame: bytesPerFrame)
        }
    }

    /// Whether a `moov` lists samples that do not lie wholly in a file of this size.
    func lacksSamples(before end: UInt64) throws(MovieFileError) -> Bool {
        for trak in all("trak") {
            let table = try trak.sampleTable
            var cursor = SampleCursor(table)
            for chunk in table.chunks {
                let size = cursor.advance(chunk.sampleCount)
                if chunk.offset > end || size > end - chunk.offset { return true }
            }
        }
        return false
    }
}
