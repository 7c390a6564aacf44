import MediaTypes

/// Which tracks of a movie are copied, and what the copy's index says beside their samples.
struct CopyPlan: Sendable {
    let fileType: MovieFileType
    /// Whether the original is of another kind.
    private let isConverted: Bool
    private let isMatroska: Bool
    private let isChosen: Bool
    private let originalSize: UInt64
    /// The original's `ftyp` box, where the copy keeps it.
    private let ownBrands: Box?
    /// In seconds.
    private let timeRange: Range<Double>?
    /// Ticks in a second of the movie.
    let timescale: UInt32
    /// The index, whose `trak` boxes are `tracks`'.
    private var moov: Box
    private(set) var tracks: [CopiedTrack] = []
    private(set) var omitted: [OmittedTrack] = []
    /// Those that the original's index does not list, or that begin at other times in a part.
    private(set) var chapters: [MovieInfo.Chapter] = []
    /// Those that begin behind the movie's end.
    private(set) var lateChapters: [MovieInfo.Chapter] = []
    private var hasNewChapters = false
    /// Those whose samples are written anew.
    let subtitles: [SubtitleTrack]
    /// That of a movie whose index has no track of them.
    let timeCode: TimeCode?
    /// What of them is left out, what is not said of the frames, and what else a Matroska file has, in full sentences.
    let omissions: [String]
    private(set) var duration = 0.0
    private(set) var firstFrameTime: Double
    private(set) var boundary: MovieCopy.Beginning?
    private(set) var isWithinOneGOP = false
    private let encoded: EncodedBeginning?

    init(
        _ original: CopySource, _ file: ReadableFile, _ options: MovieCopy.Options, _ encoded: EncodedBeginning?
    ) throws(MovieFileError) {
        self.encoded = encoded
        let type = options.fileType ?? original.fileType
        fileType = type
        isConverted = fileType != original.fileType
        isMatroska = original.matroska != nil
        (isChosen, originalSize) = (original.isChosen, original.fileSize)
        ownBrands = isConverted ? nil : original.brands
        timeRange = options.timeRange.map { $0.lowerBound.seconds..<$0.upperBound.seconds }
        firstFrameTime = timeRange?.lowerBound ?? 0
        moov = original.moov
        timescale = try TimeHeader(try moov.required("mvhd")).timescale
        var chapterIDs = try moov.chapterTrackIDs()
        let beside = original.matroska
        (chapters, omitted) = (original.chapters, (beside?.omitted ?? []) + (beside?.omittedEverywhere ?? []))
        if let reason = beside?.refusal { throw .unsupported(reason: reason) }
        // Of a part they would have to be cut.
        subtitles = options.timeRange == nil ? beside?.subtitles ?? [] : []
        timeCode = timeRange == nil ? beside?.timeCode : nil
        omissions =
            (subtitles.isEmpty ? [] : beside?.omissions ?? [])
            + (original.stereo.map { [$0.omission(in: type.displayName)] } ?? [])
            + (beside?.projection.map { SphericalVideo(projection: $0) == nil } == true
                ? [SphericalVideo.omission(in: type.displayName)] : [])
            + (beside?.lostRoles(in: type.displayName) ?? []) + (beside?.frameOmissions ?? [])
            + (beside?.attachmentOmissions(in: type.displayName) ?? [])
        for track in beside?.subtitles.dropFirst(subtitles.count) ?? [] {
            omit(
                UInt32(clamping: track.number), "sbtl", "tx3g",
                "subtitles of Matroska are copied with the whole movie only")
        }
        if let timeRange {
            guard timeRange.lowerBound >= 0 else {
                throw .unsupported(reason: "a part cannot begin before the movie does")
            }
            let all = chapters.isEmpty ? try ChapterReading(file: file).chapters(moov) : chapters
            chapters = all.inPart(timeRange)
            _ = try moov.setChapters([], dataOffset: 0)
            chapterIDs = []
        } else if let found = try moov.lateChapters(chapterIDs, file) {
            (chapters, lateChapters, hasNewChapters) = (found.kept, found.late, true)
            _ = try moov.setChapters([], dataOffset: 0)
            chapterIDs = []
        }
        if chapterIDs.isEmpty {
            for (id, track) in try original.moov.chapterCompanions().sorted(by: { $0.key < $1.key }) {
                omit(id, track.handler, nil, "the copy's own chapters come without \(track.name)")
            }
        }
        for trak in moov.all("trak") {
            let trackID = try TrackHeader(try trak.required("tkhd")).trackID
            try add(trak, trackID, isChapters: chapterIDs.contains(trackID), file)
        }
        try expectSomething()
        try completeHeaders()
        if timeRange == nil, chapterIDs.isEmpty { try leaveOutLateChapters() }
        if isConverted { try moov.convertMovie(to: fileType) }
    }

    /// Adds a track, or the reason why it is left out.
    private mutating func add(
        _ trak: Box, _ trackID: UInt32, isChapters: Bool, _ file: ReadableFile
    ) throws(MovieFileError) {
        var trak = trak
        let mdia = try trak.required("mdia")
        let handler = try mdia.required("hdlr").handlerType()
        let stsd = try mdia.required("minf").required("stbl").required("stsd")
        let entries = try SampleEntry.entries(of: stsd, handler: handler)
        try trak.expectCopyable(entries)
        guard !entries.isEmpty else {
            return omit(trackID, handler, nil, "it does not say how its samples are coded")
        }
        if isConverted {
            for format in entries.map(\.format) {
                guard let reason = fileType.refusal(handler: handler, format: format, isChapters: isChapters) else {
                    continue
                }
                // Its index was made up: where it does not fit there are other ways, which may lose nothing.
                guard !isMatroska else { throw .unsupported(reason: reason) }
                return omit(trackID, handler, format, reason)
            }
            try trak.convertTrack(to: fileType, handler: handler, isChapters: isChapters)
        }
        var track = try CopiedTrack(trak, entries: entries, fileSize: originalSize, movieTimescale: timescale)
        // Players take what has no samples for damage, or for the movie's video.
        guard track.table.count > 0 || !track.playsAllAlong else {
            return omit(trackID, handler, entries.first?.format, "it has no samples")
        }
        if let timeRange {
            let edits = try track.editsOfParts(movieTimescale: timescale)
            guard var trim = try TrackTrim(track, edits: edits, range: timeRange, movieTimescale: timescale) else {
                return omit(trackID, handler, entries.first?.format, Self.isElsewhere)
            }
            if handler == "vide" { try begin(&trim, of: track, entries, file) }
            try track.trim(trim, movieTimescale: timescale)
            if handler == "vide" { firstFrameTime = min(firstFrameTime, timeRange.lowerBound - trim.leadIn) }
        }
        tracks.append(track)
    }

    /// Finds out which frames of a part could be encoded again, and takes those that are.
    private mutating func begin(
        _ trim: inout TrackTrim, of track: CopiedTrack, _ entries: [SampleEntry], _ file: ReadableFile
    ) throws(MovieFileError) {
        guard boundary == nil, tracks.allSatisfy({ $0.handler != "vide" }) else { return }
        let underWay = Double(trim.underWay?.ticks ?? 0) / Double(track.timescale)
        let lastSync = track.table.syncSamples.last(upTo: trim.samples.upperBound - 1)
        isWithinOneGOP = trim.leadIn > underWay + 0.0005 && lastSync <= trim.samples.lowerBound
        guard let found = try GroupBoundary(track, trim, entries, file) else { return }
        boundary = found.beginning
        guard let encoded else { return }
        guard encoded.count == found.times.count else {
            throw .unsupported(
                reason: "its beginning was encoded in \(encoded.count) frames and has \(found.times.count)")
        }
        trim.begin(with: encoded, found, of: track)
    }

    private static let isElsewhere = "it has nothing in this part of the movie"

    private mutating func omit(_ trackID: UInt32, _ handler: FourCC, _ format: FourCC?, _ reason: String) {
        omitted.append(
            .init(
                trackID: trackID, handler: handler, format: format, reason: "Track \(trackID) is left out: \(reason)."))
    }

    /// The `ftyp` box.
    func brands() throws(MovieFileError) -> Box {
        if let ownBrands { return ownBrands }
        let hasSignedOffsets = tracks.contains { $0.table.compositionOffsets.runs.contains { $0.value < 0 } }
        return try fileType.brands(hasSignedOffsets: hasSignedOffsets)
    }

    /// Checks that there is something to see or to hear.
    private func expectSomething() throws(MovieFileError) {
        if tracks.contains(where: { $0.playsAllAlong && $0.samples.count > 0 }) { return }
        let missed = omitted.first { $0.handler == "vide" || $0.handler == "soun" }
        guard let missed else {
            guard !tracks.contains(where: { $0.handler == "pict" }) else {
                throw .unsupported(
                    reason:
                        "its frames are an image sequence (AVIF or HEIF), which no movie holds as it is; encode them")
            }
            throw .noSamples
        }
        guard !missed.reason.contains(Self.isElsewhere) else {
            throw .unsupported(reason: "it has neither video nor audio in this part; choose one within the movie")
        }
        throw .unsupported(
            reason:
                "none of it can be written to \(fileType.displayName), which cannot hold '\(missed.format ?? "    ")';"
                + " choose another kind of file, or encode it again")
    }

    /// Removes what refers to tracks that are not there, and says how long those last that are.
    private mutating func completeHeaders() throws(MovieFileError) {
        let isChanged = timeRange != nil || !omitted.isEmpty || hasNewChapters || isChosen
        let ids = Set(tracks.map(\.trackID))
        var longest: UInt64 = 0
        for index in tracks.indices {
            if isChanged { try tracks[index].trak.keepReferences(to: ids) }
            longest = max(longest, try TrackHeader(try tracks[index].trak.required("tkhd")).duration)
        }
        var subtitlesEnd: UInt64 = 0
        for track in subtitles { subtitlesEnd = max(subtitlesEnd, try track.duration(timescale: timescale)) }
        longest = max(longest, subtitlesEnd)
        moov.removeChildren { $0.type == "mvex" }
        if isChanged {
            try moov.edit(["mvhd"]) { (mvhd: inout Box) throws(MovieFileError) in try mvhd.setDuration(longest) }
        }
        duration = Double(isChanged ? longest : max(subtitlesEnd, try played())) / Double(timescale)
    }

    /// Of a Matroska file that is cut off the chapters may go on behind its end.
    private mutating func leaveOutLateChapters() throws(MovieFileError) {
        let header = try TimeHeader(try moov.required("mvhd"))
        let end = MediaTime(ticks: header.duration, timescale: header.timescale)
        lateChapters += chapters.filter { $0.start > .zero && $0.start >= end && end > .zero }
        chapters.removeAll { lateChapters.contains($0) }
    }

    /// How long the movie is played, in its ticks: as its tracks' edits say, which headers may contradict.
    private func played() throws(MovieFileError) -> UInt64 {
        var longest: UInt64 = 0
        for track in tracks {
            let header = try TrackHeader(try track.trak.required("tkhd"))
            // Without edits headers tell how long it is decoded.
            guard track.trak.descendant("edts", "elst") != nil else {
                longest = max(longest, try track.table.duration.rescaled(from: track.timescale, to: timescale))
                continue
            }
            let edits =
                (try? track.edits(movieTimescale: timescale)) ?? [.init(duration: header.duration, mediaTime: 0)]
            longest = max(longest, edits.reduce(0) { $0 &+ $1.duration })
        }
        return longest
    }

    /// The index with the samples in these chunks of the copy.
    func index(chunks: [[SampleTable.Chunk]], isWide: Bool) throws(MovieFileError) -> Box {
        var traks: [Box] = []
        for (track, chunks) in zip(tracks, chunks) {
            traks.append(try track.trak(chunks: chunks, isWide: isWide, isQuickTime: fileType == .mov))
        }
        var moov = moov
        let place = moov.children?.firstIndex { $0.type == "trak" } ?? 0
        moov.removeChildren { $0.type == "trak" }
        moov.children?.insert(contentsOf: traks, at: place)
        return moov
    }
}

extension [MovieInfo.Chapter] {
    /// Those of a part of the movie, in its time; one that goes on there begins with it.
    fileprivate func inPart(_ range: Range<Double>) -> [MovieInfo.Chapter] {
        let (begin, end) = (MediaTime(seconds: range.lowerBound), MediaTime(seconds: range.upperBound))
        var part = filter { $0.start > begin && $0.start < end }
        if let first = last(where: { $0.start <= begin }) { part.insert(first, at: 0) }
        return part.map { .init(start: Swift.max(.zero, $0.start - begin), title: $0.title) }
    }
}
