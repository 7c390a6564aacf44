import MediaTypes

/// A movie file's index, whole or in fragments, without its samples.
struct MovieContents {
    var isQuickTime = false
    var moov: Box
    /// Where the samples are listed when the movie is in fragments; nil for an ordinary one.
    var fragments: FragmentedMovie?
    /// Whether the file ends where its last box does, or holds every sample all the same.
    var isWhole = true
    /// Whether the index was made of a Core Audio file.
    var isCoreAudio = false

    /// - Throws: `notAMovie` where there is no index, `invalidBox`.
    init(_ file: ReadableFile) throws(MovieFileError) {
        if let audio = try CoreAudioFile(file) {
            (self.moov, isQuickTime, isCoreAudio) = (try audio.moov, audio.isQuickTime, true)
            return
        }
        var boxes = TopLevelBoxes(file)
        var moov: Box?
        var end: UInt64 = 0
        while let entry = try boxes.nextSensible(isRequired: moov == nil) {
            end = entry.end
            if !entry.isWhole { isWhole = false }
            switch entry.type {
            case "ftyp":
                isQuickTime = try entry.hasQuickTimeBrand(file)
            case "moov" where moov == nil && entry.isWhole:
                var box = try TopLevelBoxes.load(entry, from: file)
                try box.decompress()
                try box.addMissingHeader()
                try box.addMissingDescriptions()
                try box.addGaplessEdit()
                // QuickTime files of old have no brand at all.
                if !boxes.types.contains("ftyp") { isQuickTime = true }
                moov = box
                if box["mvex"] != nil { fragments = try FragmentedMovie(moov: box) }
            case "moof" where fragments != nil && entry.isWhole:
                try fragments?.add(moof: try TopLevelBoxes.load(entry, from: file))
            default: break
            }
        }
        guard let moov else { throw boxes.missingIndex }
        self.moov = moov
        if end < file.size { isWhole = false }
        // A box that claims more than the file has, or what others have put behind the last one, harms no index.
        if !isWhole, fragments == nil { isWhole = try !moov.lacksSamples(before: file.size) }
        if let lost = fragments?.removeSamples(beyond: file.size), lost.contains(where: { $0 > 0 }) { isWhole = false }
    }

    /// The matrix of the whole movie, where its header has one.
    var matrix: TransformationMatrix? {
        guard let mvhd = moov["mvhd"], let version = mvhd.payload.first else { return nil }
        var reader = ByteReader(mvhd)
        guard (try? reader.skip(TimeHeader.movieMatrixOffset(version: version))) != nil else { return nil }
        return try? TransformationMatrix(from: &reader)
    }

    func tracks() throws(MovieFileError) -> [TrackDescription] {
        let timescale = try TimeHeader(try moov.required("mvhd")).timescale
        var tracks: [TrackDescription] = []
        for trak in moov.all("trak") {
            tracks.append(try TrackDescription(trak, movieTimescale: timescale, fragments: fragments))
        }
        return tracks
    }
}

/// One track of a movie as its headers describe it, whichever way its samples are listed.
struct TrackDescription: Sendable {
    var header: TrackHeader
    var handler: FourCC
    /// Ticks in a second.
    var timescale: UInt32
    /// How its first sample is coded; nil where it has no description.
    var entry: SampleEntry?
    var statistics: TrackStatistics
    var attributes: TrackAttributes
    /// Whether an edit hides the first samples.
    var hidesBeginning = false
    /// Of video: whether edits hide frames among those that they show, which a copy without edits would show or lack.
    var hidesNeededFrames = false
    /// How long edits show nothing, before the first sample or among them.
    var pauses = MediaTime.zero
    /// Whether the first sample can be decoded by itself.
    var beginsWithSync = true
    /// Where the first sample lies, of a track whose description does not say all; nil for any other.
    var firstSample: UInt64?
    /// As played.
    var duration: MediaTime
    /// How long its header says that the samples are presented; where it does not, how long they last.
    var codedDuration: MediaTime

    init(_ trak: Box, movieTimescale: UInt32, fragments: FragmentedMovie?) throws(MovieFileError) {
        header = try TrackHeader(try trak.required("tkhd"))
        let mdia = try trak.required("mdia")
        let mediaHeader = try TimeHeader(try mdia.required("mdhd"))
        timescale = mediaHeader.timescale
        attributes = try TrackAttributes(trak)
        handler = try mdia.required("hdlr").handlerType()
        let stbl = try mdia.required("minf").required("stbl")
        entry = try SampleEntry.entries(of: try stbl.required("stsd"), handler: handler).first
        statistics = try TrackStatistics(stbl)
        let trackID = header.trackID
        let fragmented = fragments?.tracks.first { $0.trackID == trackID }
        if let fragmented { statistics = TrackStatistics(fragmented) }
        if let entry,
            handler == "soun"
                ? Self.headed.contains(entry.format)
                : handler == "vide" && (entry.mayTellLight || entry.framesTellShape)
        {
            firstSample =
                if let fragmented { fragmented.samples.chunks.first?.offset } else {
                    try? SampleLocations(stbl, limit: 1).samples.first?.offset
                }
        }
        duration = MediaTime(ticks: statistics.mediaDuration, timescale: timescale)
        let isTold = fragmented == nil && mediaHeader.duration > 0
        codedDuration = isTold ? MediaTime(ticks: mediaHeader.duration, timescale: timescale) : duration
        beginsWithSync =
            if let fragmented { fragmented.samples.syncSamples.beginWithFirst } else {
                try SyncSamples.beginWithFirst(stbl)
            }
        guard let elst = trak.descendant("edts", "elst") else { return }
        let edits = try EditList(elst).edits
        if let first = edits.compactMap(\.mediaTime).first {
            // The first sample's decoding time is 0.
            let offset = stbl["ctts"].flatMap { UInt32(bigEndianBytes: $0.payload.dropFirst(12).prefix(4)) } ?? 0
            // A millisecond may be another clock's rounding.
            hidesBeginning = first > UInt64(max(0, Int32(bitPattern: offset))) + UInt64(timescale / 1000)
        }
        if handler == "vide", hidesBeginning || edits.count(where: { $0.mediaTime != nil }) > 1 {
            let table = if let fragmented { fragmented.samples } else { try SampleTable(stbl) }
            // What is too long to be compared is not believed either.
            hidesNeededFrames =
                (try? table.areHidden(by: edits, timescale: timescale, movieTimescale: movieTimescale)) ?? true
        }
        let empty = edits.filter { $0.mediaTime == nil }.reduce(0.0) { $0 + Double($1.duration) }
        pauses = MediaTime(seconds: empty / Double(movieTimescale)).clamped
        var played = 0.0
        for edit in edits { played += Double(edit.duration) / Double(movieTimescale) }
        if played > 0, fragmented == nil {
            duration = MediaTime(seconds: played).clamped
        } else if let last = edits.last, let start = last.mediaTime {
            // An edit without a length: everything from its media time on; so it is where fragments follow, whatever its length was.
            let end = fragmented?.samples.presentationTimes.upperBound ?? statistics.mediaDuration
            let before = played - Double(last.duration) / Double(movieTimescale)
            duration = MediaTime(seconds: Double(end - min(end, start)) / Double(timescale) + before).clamped
        }
    }

    /// Audio that says in its own packets what it is.
    private static let headed: Set<FourCC> = ["mp4a", ".mp3", "dtsc", "dtse", "dtsh", "dtsl"]

    /// How long all samples last together, in seconds.
    var mediaSeconds: Double {
        Double(statistics.mediaDuration) / Double(timescale)
    }
}
